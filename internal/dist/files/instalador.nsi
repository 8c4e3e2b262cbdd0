; The installer for Windows, made by installer.go. FOLDER has the files that go in, OUTPUT is what is made; VERSION and BUILD are the release's;
; QUICK is for tests, which need not wait for the last kilobyte.
; Silent: /S and the switches that .onInit reads. Whatever it does is in instalacao.log, but for passwords.
Unicode true
Target amd64-unicode
!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh
!include WordFunc.nsh
!include nsDialogs.nsh
!include "${FOLDER}\gerenciadores.nsh"

Name "Maquininha"
OutFile "${OUTPUT}"
RequestExecutionLevel admin
!ifdef QUICK
	SetCompressor zlib
!else
	SetCompressor /SOLID lzma
!endif
SetDateSave off
ManifestSupportedOS Win10
ShowInstDetails show
BrandingText "Maquininha ${VERSION}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey /LANG=0 ProductName "Maquininha"
VIAddVersionKey /LANG=0 FileDescription "Instalador da Maquininha"
VIAddVersionKey /LANG=0 FileVersion "${VERSION}"
VIAddVersionKey /LANG=0 ProductVersion "${VERSION} (build ${BUILD})"
VIAddVersionKey /LANG=0 LegalCopyright ""

!define SERVICE "SYSTEM\CurrentControlSet\Services\maquininha"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Maquininha"
!define PROGRAM '"$INSTDIR\maquininha.exe"'

Var Init       ; flags of maquininha init: what was answered
Var Data       ; folder of the data
Var Port       ; that the firewall is opened for; empty: none
Var Shortcut   ; sim: the screen is on the desktop
Var FullScreen ; sim: it opens with the session
Var Start      ; sim: the service is started
Var Upgrade    ; sim: there is a service already
Var Running    ; sim: it was running
Var Code       ; how the last command ended
Var Said       ; and its words
Var Log

!define MUI_ABORTWARNING
!define MUI_WELCOMEPAGE_TEXT "Este assistente instala o terminal como serviço do Windows, ou atualiza o que já está instalado, sem tocar nos dados.$\r$\n$\r$\nNa atualização, o serviço para por alguns segundos."
!insertmacro MUI_PAGE_WELCOME
Page custom askTerminal keepTerminal
Page custom askPrinter keepPrinter
Page custom askPayments keepPayments
Page custom askRest keepRest
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$WINDIR\explorer.exe"
!define MUI_FINISHPAGE_RUN_PARAMETERS "http://127.0.0.1:9051"
!define MUI_FINISHPAGE_RUN_TEXT "Abrir a tela do terminal"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE PortugueseBR

!macro note text
	FileWriteUTF16LE $Log `${text}$\r$\n`
!macroend

; run runs a command; its words are UTF-8, which the plug-in takes for the machine's old alphabet.
!macro run command
	nsExec::ExecToStack `${command}`
	Pop $Code
	Pop $Said
	System::Alloc 8192
	Pop $R8
	System::Alloc 8192
	Pop $R9
	Push $Said
	System::Call 'kernel32::WideCharToMultiByte(i 0, i 0, w s, i -1, p R8, i 4096, p 0, p 0)'
	System::Call 'kernel32::MultiByteToWideChar(i 65001, i 0, p R8, i -1, p R9, i 1000)'
	System::Call '*$R9(&w1000 .s)'
	Pop $Said
	System::Free $R8
	System::Free $R9
!macroend

!macro noted command
	!insertmacro run `${command}`
	!insertmacro note `[$Code] ${command}$\r$\n$Said`
!macroend

; switch reads /NAME=value, with quotes around the value, or around all of it, as PowerShell has them. $R0 is the command line.
!macro switch name variable default
	ClearErrors
	${WordFind2X} $R0 '"/${name}=' '"' "E+1" ${variable}
	${If} ${Errors}
		ClearErrors
		${GetOptions} $R0 "/${name}=" ${variable}
	${EndIf}
	${If} ${Errors}
		StrCpy ${variable} "${default}"
	${EndIf}
!macroend

!macro machine
	SetRegView 64
	SetShellVarContext all
!macroend

Function .onInit
	!insertmacro machine
	${GetParameters} $R0
	!insertmacro switch "INIT" $Init ""
	!insertmacro switch "DADOS" $Data "$APPDATA\maquininha"
	!insertmacro switch "FIREWALL" $Port ""
	!insertmacro switch "ATALHO" $Shortcut "sim"
	!insertmacro switch "TELACHEIA" $FullScreen "nao"
	!insertmacro switch "INICIAR" $Start "sim"
	; What is there is replaced where it is, whoever installed it.
	ReadRegStr $R1 HKLM "${SERVICE}" "ImagePath"
	${If} $R1 != ""
		StrCpy $Upgrade "sim"
		Call folderOfService
	${ElseIf} $INSTDIR == ""
		StrCpy $INSTDIR "$PROGRAMFILES64\Maquininha"
	${EndIf}
FunctionEnd

; folderOfService makes $INSTDIR that of the program in $R1, a command line.
Function folderOfService
	StrCpy $R2 $R1 1
	${If} $R2 == '"'
		StrCpy $R1 $R1 "" 1
	${EndIf}
	StrCpy $R3 0
	${Do}
		StrCpy $R2 $R1 15 $R3
		${If} $R2 == "\maquininha.exe"
			StrCpy $INSTDIR $R1 $R3
			${ExitDo}
		${EndIf}
		IntOp $R3 $R3 + 1
	${LoopUntil} $R2 == ""
	${If} $INSTDIR == ""
		MessageBox MB_OK|MB_ICONSTOP "O serviço maquininha já existe e não é deste programa: $R1" /SD IDOK
		SetErrorLevel 2
		Quit
	${EndIf}
FunctionEnd

Function un.onInit
	!insertmacro machine
FunctionEnd

; give up, with what the last command said
!macro fail text
	!insertmacro note "${text}"
	FileClose $Log
	DetailPrint "${text}"
	MessageBox MB_OK|MB_ICONSTOP "${text}$\r$\n$\r$\n$Said" /SD IDOK
	SetErrorLevel 2
	Quit
!macroend

Section
	SetOutPath "$INSTDIR"
	FileOpen $Log "$INSTDIR\instalacao.log" w
	FileWriteUTF16LE /BOM $Log "Maquininha ${VERSION} (build ${BUILD})$\r$\n"
	${If} $Upgrade == "sim"
		Call stopService
	${EndIf}
	Call replaceProgram
	${If} $Upgrade != "sim"
		Call installService
	${EndIf}
	Call startService
	Call openFirewall
	Call makeShortcuts
	WriteUninstaller "$INSTDIR\desinstalar.exe"
	WriteRegStr HKLM "${UNINSTALL}" "DisplayName" "Maquininha"
	WriteRegStr HKLM "${UNINSTALL}" "DisplayVersion" "${VERSION}"
	WriteRegStr HKLM "${UNINSTALL}" "Publisher" "Maquininha"
	WriteRegStr HKLM "${UNINSTALL}" "InstallLocation" "$INSTDIR"
	WriteRegStr HKLM "${UNINSTALL}" "UninstallString" '"$INSTDIR\desinstalar.exe"'
	WriteRegStr HKLM "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\desinstalar.exe" /S'
	WriteRegDWORD HKLM "${UNINSTALL}" "NoModify" 1
	WriteRegDWORD HKLM "${UNINSTALL}" "NoRepair" 1
	ReadRegStr $R1 HKLM "${UNINSTALL}" "Dados"
	${If} $R1 == ""
		WriteRegStr HKLM "${UNINSTALL}" "Dados" "$Data"
	${EndIf}
	FileClose $Log
SectionEnd

; stopService waits until the service has answered what it holds: only then may its program be replaced.
Function stopService
	DetailPrint "Parando o serviço"
	!insertmacro noted '${PROGRAM} service status'
	${If} $Code == 0
		StrCpy $Running "sim"
		!insertmacro noted '${PROGRAM} service stop'
		${If} $Code != 0
			!insertmacro fail "O serviço não parou; nada foi mudado."
		${EndIf}
	${EndIf}
FunctionEnd

; replaceProgram keeps the one before: it comes back when the new one does not start.
Function replaceProgram
	ClearErrors
	Delete "$INSTDIR\maquininha-anterior.exe"
	${If} ${FileExists} "$INSTDIR\maquininha.exe"
		Rename "$INSTDIR\maquininha.exe" "$INSTDIR\maquininha-anterior.exe"
	${EndIf}
	${If} ${Errors}
		Call restart
		StrCpy $Said "Feche o que estiver usando $INSTDIR\maquininha.exe e tente de novo."
		!insertmacro fail "O programa está em uso; nada foi mudado."
	${EndIf}
	File "${FOLDER}\maquininha.exe"
	File "${FOLDER}\quiosque.cmd"
	File "${FOLDER}\LEIA-ME.txt"
	File "${FOLDER}\LICENSE.txt"
	File "${FOLDER}\NOTICES.txt"
	${If} ${Errors}
		Call takeBack
		StrCpy $Said ""
		!insertmacro fail "Os arquivos não puderam ser gravados em $INSTDIR; nada foi mudado."
	${EndIf}
FunctionEnd

; takeBack puts the one before in its place. Windows may still have the other open, which can be renamed then but not deleted.
Function takeBack
	${If} ${FileExists} "$INSTDIR\maquininha-anterior.exe"
		Delete "$INSTDIR\maquininha-recusada.exe"
		Rename "$INSTDIR\maquininha.exe" "$INSTDIR\maquininha-recusada.exe"
		Rename "$INSTDIR\maquininha-anterior.exe" "$INSTDIR\maquininha.exe"
		Delete /REBOOTOK "$INSTDIR\maquininha-recusada.exe"
	${EndIf}
	Call restart
FunctionEnd

Function restart
	${If} $Running == "sim"
		!insertmacro noted '${PROGRAM} service start'
	${EndIf}
FunctionEnd

Function installService
	${IfNot} ${FileExists} "$Data\maquininha.toml"
		DetailPrint "Gravando a configuração"
		!insertmacro noted '${PROGRAM} init --data "$Data" --output "$Data\maquininha.toml" $Init'
		${If} $Code != 0
			Delete "$INSTDIR\maquininha.exe"
			!insertmacro fail "A configuração não foi aceita; o serviço não foi instalado."
		${EndIf}
	${EndIf}
	DetailPrint "Instalando o serviço"
	!insertmacro noted '${PROGRAM} service install --config "$Data\maquininha.toml" --data "$Data"'
	${If} $Code != 0
		!insertmacro fail "O serviço não foi instalado."
	${EndIf}
FunctionEnd

Function startService
	${If} $Upgrade == "sim"
		!insertmacro noted 'icacls ${PROGRAM} /grant "NT SERVICE\maquininha:RX"'
		${If} $Running != "sim"
			Return
		${EndIf}
	${ElseIf} $Start != "sim"
		Return
	${EndIf}
	DetailPrint "Iniciando o serviço"
	!insertmacro noted '${PROGRAM} service start'
	${If} $Code == 0
		Delete "$INSTDIR\maquininha-anterior.exe"
		Call showPassword
	${ElseIf} $Upgrade == "sim"
		Push $Said
		Call takeBack
		${If} $Code != 0
			!insertmacro fail "A versão nova não iniciou, e a anterior, que voltou ao lugar, também não. Nada foi apagado."
		${EndIf}
		Pop $Said
		!insertmacro fail "A versão nova não iniciou; a anterior voltou ao lugar, e os dados estão como estavam."
	${Else}
		!insertmacro note "instalado, não iniciou"
		MessageBox MB_OK|MB_ICONEXCLAMATION "O serviço foi instalado, mas não iniciou. Ele será tentado de novo.$\r$\n$\r$\n$Said" /SD IDOK
		SetErrorLevel 3
	${EndIf}
FunctionEnd

; showPassword is for the person who is there: nobody else gets to see it.
Function showPassword
	${If} $Upgrade == "sim"
	${OrIf} ${Silent}
		Return
	${EndIf}
	!insertmacro run '${PROGRAM} service password --config "$Data\maquininha.toml" --data "$Data"'
	MessageBox MB_OK|MB_ICONINFORMATION "Anote a senha do sistema de vendas:$\r$\n$\r$\n$Said"
	StrCpy $Said ""
FunctionEnd

Function openFirewall
	${If} $Port == ""
		Return
	${EndIf}
	DetailPrint "Abrindo a porta $Port no firewall"
	!insertmacro noted 'netsh advfirewall firewall delete rule name=maquininha'
	!insertmacro noted 'netsh advfirewall firewall add rule name=maquininha dir=in action=allow protocol=TCP localport=$Port profile=private,domain'
	${If} $Code != 0
		MessageBox MB_OK|MB_ICONEXCLAMATION "O firewall não foi aberto; abra nele a porta TCP $Port.$\r$\n$\r$\n$Said" /SD IDOK
	${EndIf}
FunctionEnd

Function makeShortcuts
	${If} $Shortcut == "sim"
		WriteINIStr "$DESKTOP\Maquininha.url" "InternetShortcut" "URL" "http://127.0.0.1:9051"
	${EndIf}
	${If} $FullScreen == "sim"
		CreateShortcut "$SMSTARTUP\Maquininha.lnk" "$INSTDIR\quiosque.cmd" "" "" 0 SW_SHOWMINIMIZED
	${EndIf}
FunctionEnd

Section Uninstall
	ReadRegStr $Data HKLM "${UNINSTALL}" "Dados"
	${GetParameters} $R0
	!insertmacro switch "DADOS" $R1 "ficam"
	${If} ${Silent}
		StrCpy $R2 $R1
	${Else}
		StrCpy $R2 "ficam"
		MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "Apagar também vendas, transações, logs e configuração, em $Data? O que foi apagado não volta." IDNO +2
		StrCpy $R2 "apagar"
	${EndIf}
	!insertmacro run '${PROGRAM} service status'
	${If} $Code != 4
		!insertmacro run '${PROGRAM} service uninstall'
		${If} $Code != 0
			MessageBox MB_OK|MB_ICONSTOP "O serviço não foi desinstalado; nada foi apagado.$\r$\n$\r$\n$Said" /SD IDOK
			SetErrorLevel 2
			Quit
		${EndIf}
	${EndIf}
	${If} $R2 == "apagar"
	${AndIf} $Data != ""
		RMDir /r "$Data"
	${EndIf}
	!insertmacro run 'netsh advfirewall firewall delete rule name=maquininha'
	Delete "$DESKTOP\Maquininha.url"
	Delete "$SMSTARTUP\Maquininha.lnk"
	Delete "$INSTDIR\maquininha.exe"
	Delete "$INSTDIR\maquininha-anterior.exe"
	Delete "$INSTDIR\maquininha-recusada.exe"
	Delete "$INSTDIR\quiosque.cmd"
	Delete "$INSTDIR\LEIA-ME.txt"
	Delete "$INSTDIR\LICENSE.txt"
	Delete "$INSTDIR\NOTICES.txt"
	Delete "$INSTDIR\instalacao.log"
	Delete "$INSTDIR\desinstalar.exe"
	RMDir "$INSTDIR"
	DeleteRegKey HKLM "${UNINSTALL}"
SectionEnd

!include "${FOLDER}\perguntas.nsh"
