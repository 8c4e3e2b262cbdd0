// Goes through the pages of an installer as a person does: pages.exe ACTION..., one after the other, each as soon as it can be done.
//   see=TEXT      a page says so
//   press=TEXT    a button, as it is written, with its &
//   pick=N=TEXT   in the page's list number N, from 0
// Wine shows windows to nobody; they are there all the same.
#include <stdio.h>
#include <wchar.h>
#include <windows.h>

static const WCHAR *class, *text; // of what is looked for; any text where that is NULL
static int before;                // of the same come first
static HWND found;

static BOOL CALLBACK look(HWND h, LPARAM unused)
{
	WCHAR its[512] = L"";
	GetClassNameW(h, its, 512);
	if (lstrcmpW(its, class) || !IsWindowVisible(h) || !IsWindowEnabled(h))
		return TRUE;
	SendMessageW(h, WM_GETTEXT, 512, (LPARAM)its);
	if ((text && lstrcmpW(its, text)) || before-- > 0)
		return TRUE;
	found = h;
	return FALSE;
}

static BOOL CALLBACK look_inside(HWND h, LPARAM unused)
{
	WCHAR its[32] = L"";
	GetClassNameW(h, its, 32);
	if (!lstrcmpW(its, L"#32770") && IsWindowVisible(h))
		EnumChildWindows(h, look, 0);
	return !found;
}

static HWND find(const WCHAR *of, const WCHAR *words, int number)
{
	class = of, text = words, before = number, found = NULL;
	EnumWindows(look_inside, 0);
	return found;
}

static int done(const WCHAR *action)
{
	HWND h;
	if (!wcsncmp(action, L"see=", 4))
		return find(L"Static", action + 4, 0) != NULL;
	if (!wcsncmp(action, L"press=", 6)) {
		h = find(L"Button", action + 6, 0);
		return h && PostMessageW(h, BM_CLICK, 0, 0); // nobody waits for the next page
	}
	if (!wcsncmp(action, L"pick=", 5)) {
		h = find(L"ComboBox", NULL, action[5] - L'0');
		return h && SendMessageW(h, CB_SELECTSTRING, -1, (LPARAM)(action + 7)) != CB_ERR;
	}
	return 0;
}

int wmain(int argc, WCHAR **argv)
{
	const ULONGLONG patience = 120 * 1000;
	for (int i = 1; i < argc; i++) {
		for (ULONGLONG began = GetTickCount64(); !done(argv[i]); Sleep(50)) {
			if (GetTickCount64() - began > patience) {
				printf("action %d can't be done\n", i);
				return 1;
			}
		}
	}
	return 0;
}
