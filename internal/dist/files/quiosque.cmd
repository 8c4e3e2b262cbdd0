@echo off
rem Abre a tela do terminal em tela cheia. Alt+F4 fecha.
set "PAGINA=http://127.0.0.1:9051/?kiosk"
set "PERFIL=%LocalAppData%\maquininha-quiosque"
for %%N in (
	"%ProgramFiles(x86)%\Microsoft\Edge\Application\msedge.exe"
	"%ProgramFiles%\Microsoft\Edge\Application\msedge.exe"
	"%ProgramFiles%\Google\Chrome\Application\chrome.exe"
	"%ProgramFiles(x86)%\Google\Chrome\Application\chrome.exe"
) do if exist %%N (
	start "" %%N --kiosk "%PAGINA%" --edge-kiosk-type=fullscreen --no-first-run --user-data-dir="%PERFIL%"
	exit /b 0
)
echo Nem o Edge nem o Chrome foram encontrados.
pause
