// Go asks this library for random numbers, and the Wine of Debian 12 has none of the name.
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
	while (size > 0) {
		ULONG part = size > 1 << 20 ? 1 << 20 : (ULONG)size;
		if (!RtlGenRandom(data, part)) return FALSE;
		data += part;
		size -= part;
	}
	return TRUE;
}
