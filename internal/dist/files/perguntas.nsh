; The pages that ask what maquininha init asks. Each adds to $Init the flags of what was chosen; nothing is asked where a service is there.
Var Production
Var Emulator
Var Here
Var Network
Var Secure
Var PrinterKind
Var PrinterName
Var Narrow
Var Card
Var Pix
Var Manager
Var Folder
Var Tongue
Var OnDesktop
Var AtLogon
Var Open

!macro page title subtitle
	${If} $Upgrade == "sim"
		Abort
	${EndIf}
	!insertmacro MUI_HEADER_TEXT "${title}" "${subtitle}"
	nsDialogs::Create 1018
	Pop $0
!macroend

!macro radio kind top text variable
	${NSD_Create${kind}} 8u ${top}u 95% 11u "${text}"
	Pop ${variable}
!macroend

!macro label top text
	${NSD_CreateLabel} 0 ${top}u 100% 10u "${text}"
	Pop $0
!macroend

!macro list top variable first
	${NSD_CreateDropList} 8u ${top}u 90% 80u ""
	Pop ${variable}
	${NSD_CB_AddString} ${variable} "${first}"
	SendMessage ${variable} ${CB_SETCURSEL} 0 0
!macroend

!macro chosen variable result
	SendMessage ${variable} ${CB_GETCURSEL} 0 0 ${result}
!macroend

Function askTerminal
	StrCpy $Init ""
	!insertmacro page "O terminal" "O que ele é, e quem o chama."
	!insertmacro label 0 "Este terminal é"
	!insertmacro radio FirstRadioButton 12 "um emulador, para desenvolver e testar" $Emulator
	!insertmacro radio AdditionalRadioButton 24 "de verdade" $Production
	!insertmacro label 44 "Os programas que o chamam estão"
	!insertmacro radio FirstRadioButton 56 "neste computador" $Here
	!insertmacro radio AdditionalRadioButton 68 "na rede da loja" $Network
	!insertmacro radio AdditionalRadioButton 80 "na rede da loja, e devem usar HTTPS" $Secure
	${NSD_Check} $Production
	${NSD_Check} $Here
	nsDialogs::Show
FunctionEnd

Function keepTerminal
	${NSD_GetState} $Production $Production
	${NSD_GetState} $Network $Network
	${NSD_GetState} $Secure $Secure
	StrCpy $Init "--mode emulator"
	${If} $Production == ${BST_CHECKED}
		StrCpy $Init "--mode production"
	${EndIf}
	StrCpy $Port ""
	${If} $Network == ${BST_CHECKED}
		StrCpy $Init "$Init --listen :9050"
		StrCpy $Port "9050"
	${ElseIf} $Secure == ${BST_CHECKED}
		StrCpy $Init "$Init --listen none --tls"
		StrCpy $Port "9052"
	${Else}
		StrCpy $Init "$Init --listen 127.0.0.1:9050"
	${EndIf}
FunctionEnd

Function askPrinter
	!insertmacro page "A impressora" "Pode ser mudada depois, na tela do terminal."
	!insertmacro label 0 "A impressora é"
	!insertmacro list 12 $PrinterKind "escolhida depois, na tela"
	${NSD_CB_AddString} $PrinterKind "nenhuma"
	${NSD_CB_AddString} $PrinterKind "de rede"
	${NSD_CB_AddString} $PrinterKind "serial, neste computador"
	${NSD_CB_AddString} $PrinterKind "instalada no Windows"
	!insertmacro label 34 "Endereço (192.168.0.50), porta (COM3?baud=9600) ou nome no Windows"
	${NSD_CreateComboBox} 8u 46u 90% 80u ""
	Pop $PrinterName
	Call offerPrinters
	!insertmacro radio CheckBox 66 "O papel tem 58 mm (e não 80 mm)" $Narrow
	nsDialogs::Show
FunctionEnd

; offerPrinters lists the queues of Windows below the field: nobody knows their names by heart.
Function offerPrinters
	StrCpy $1 0
	${Do}
		EnumRegKey $2 HKLM "SYSTEM\CurrentControlSet\Control\Print\Printers" $1
		${If} $2 == ""
			${ExitDo}
		${EndIf}
		${NSD_CB_AddString} $PrinterName $2
		IntOp $1 $1 + 1
	${Loop}
FunctionEnd

Function keepPrinter
	!insertmacro chosen $PrinterKind $0
	${NSD_GetText} $PrinterName $1
	${NSD_GetState} $Narrow $2
	${If} $0 >= 2
	${AndIf} $1 == ""
		MessageBox MB_OK|MB_ICONEXCLAMATION "Diga o endereço, a porta ou o nome da impressora."
		Abort
	${EndIf}
	${If} $0 == 0
		Return
	${ElseIf} $0 == 1
		StrCpy $Init "$Init --printer none"
		Return
	${ElseIf} $0 == 2
		StrCpy $Init '$Init --printer "tcp://$1"'
	${ElseIf} $0 == 3
		StrCpy $Init '$Init --printer "file:$1"'
	${Else}
		StrCpy $Init '$Init --printer "windows:$1"'
	${EndIf}
	${If} $2 == ${BST_CHECKED}
		StrCpy $Init "$Init --paper-width 384"
	${Else}
		StrCpy $Init "$Init --paper-width 576"
	${EndIf}
FunctionEnd

Function askPayments
	!insertmacro page "Os pagamentos" "Bancos e outras adquirentes: no arquivo de configuração, depois."
	!insertmacro radio CheckBox 0 "Crédito e débito por TEF (gerenciador neste computador)" $Card
	!insertmacro radio CheckBox 12 "PIX por TEF" $Pix
	!insertmacro label 32 "Gerenciador de TEF"
	!insertmacro list 44 $Manager "${FIRSTMANAGER}"
	!macro addManager title name folder
		${NSD_CB_AddString} $Manager "${title}"
	!macroend
	!insertmacro MOREMANAGERS addManager
	!insertmacro label 66 "Pasta que contém as de requisição e resposta (vazia: a do gerenciador)"
	${NSD_CreateText} 8u 78u 90% 12u ""
	Pop $Folder
	!insertmacro label 98 "Idioma da tela"
	!insertmacro list 110 $Tongue "português"
	${NSD_CB_AddString} $Tongue "inglês"
	${NSD_CB_AddString} $Tongue "espanhol"
	nsDialogs::Show
FunctionEnd

Function keepPayments
	${NSD_GetState} $Card $0
	${NSD_GetState} $Pix $1
	StrCpy $2 "none"
	${If} $Production != ${BST_CHECKED}
		StrCpy $2 "emulator"
	${EndIf}
	StrCpy $3 $2
	${If} $0 == ${BST_CHECKED}
		StrCpy $2 "tef"
	${EndIf}
	${If} $1 == ${BST_CHECKED}
		StrCpy $3 "tef"
	${EndIf}
	StrCpy $Init "$Init --acquirer-card $2 --acquirer-pix $3"
	${If} $2 == "tef"
	${OrIf} $3 == "tef"
		${NSD_GetText} $Manager $4
		!macro takeManager title name folder
			${If} $4 == "${title}"
				StrCpy $5 "${name}"
				StrCpy $6 "${folder}"
			${EndIf}
		!macroend
		!insertmacro ALLMANAGERS takeManager
		${NSD_GetText} $Folder $7
		${If} $7 != ""
			StrCpy $6 $7
		${EndIf}
		StrCpy $Init '$Init --tef-profile $5 --tef-dir "$6"'
	${EndIf}
	!insertmacro chosen $Tongue $0
	${If} $0 == 1
		StrCpy $Init "$Init --locale en"
	${ElseIf} $0 == 2
		StrCpy $Init "$Init --locale es"
	${EndIf}
FunctionEnd

Function askRest
	!insertmacro page "Neste computador" "O que mais o instalador faz."
	!insertmacro radio CheckBox 0 "Pôr a tela do terminal na área de trabalho" $OnDesktop
	!insertmacro radio CheckBox 14 "Abrir a tela em tela cheia quando alguém entra no Windows" $AtLogon
	${NSD_Check} $OnDesktop
	${If} $Port != ""
		!insertmacro radio CheckBox 28 "Abrir a porta $Port no firewall, para as redes privadas e do domínio" $Open
	${EndIf}
	nsDialogs::Show
FunctionEnd

Function keepRest
	${NSD_GetState} $OnDesktop $0
	${NSD_GetState} $AtLogon $1
	StrCpy $Shortcut "nao"
	StrCpy $FullScreen "nao"
	${If} $0 == ${BST_CHECKED}
		StrCpy $Shortcut "sim"
	${EndIf}
	${If} $1 == ${BST_CHECKED}
		StrCpy $FullScreen "sim"
	${EndIf}
	${If} $Port != ""
		${NSD_GetState} $Open $2
		${If} $2 != ${BST_CHECKED}
			StrCpy $Port ""
		${EndIf}
	${EndIf}
FunctionEnd
