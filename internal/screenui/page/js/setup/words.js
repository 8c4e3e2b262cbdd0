// What the first start and the settings say.
import { words } from "../i18n.js";

export const t = words({
  "pt-BR": {
    welcome: "Bem-vindo", welcomeText: "Em poucos passos este terminal fica pronto para a loja.", begin: "Começar", later: "Depois",
    next: "Continuar", back: "Voltar", save: "Salvar", finish: "Concluir", close: "Fechar", step: "Passo {n} de {of}",
    language: "Idioma", user: "Usuário", password: "Senha", name: "Nome da loja", locale: "Idioma", colour: "Cor da loja", theme: "Fundo da tela", otherColour: "Outra cor", printer: "Impressora", printerModel: "Modelo da impressora", acquirer: "Adquirente", cardReceipt: "Comprovante do cartão", logo: "Logotipo", tradeName: "Nome fantasia no cupom", phone: "Telefone no cupom", itemNotes: "Notas dos itens no cupom", pin: "PIN do operador", network: "Impressora de rede",
    menu: "Menu do TEF", menuText: "Reimpressão, relatórios, cancelamentos",
    hub: "Hub", hubAddress: "Endereço do hub", hubCode: "Código do hub", hubPin: "Pin do certificado do hub",
    hubAddressHint: "O endereço, ou a linha inteira que o hub mostra: maquininha join …", hubCodeHint: "O que alguém gerou no hub; vale por 10 minutos, uma vez.", hubPinHint: "O hub fez o seu próprio certificado: o pin está na linha que ele mostra, como sha256/…",
    userHint: "Com ele os sistemas da loja se identificam.", passwordHint: "Pelo menos 8 caracteres. Ela não será mostrada de novo.",
    nameHint: "Aparece na tela de espera.", printerHint: "Onde os cupons são impressos.", printerModelHint: "Dele seguem a linguagem e a largura do papel.", acquirerHint: "Quem recebe os pagamentos.", cardReceiptHint: "O que é impresso depois de um pagamento aprovado.",
    logoHint: "PNG na tela de espera e no alto dos cupons fiscais, com até 2 cm de altura.", tradeNameHint: "O do emitente (xFant), nos cupons fiscais.", phoneHint: "O do emitente (fone), nos cupons fiscais.", itemNotesHint: "As informações adicionais de cada item (infAdProd), na NFC-e. Na NF-e saem sempre.",
    networkHint: "Endereço, como 192.168.0.50 ou 192.168.0.50:9100.",
    pinHint: "De 4 a 8 dígitos. Ele protege as configurações.", pinAgain: "Digite o PIN mais uma vez", pinDiffers: "Os dois não são iguais. Escolha de novo.",
    pinTyped: "{n} dígitos", show: "Mostrar", hide: "Ocultar", ready: "Tudo pronto", readyText: "Confira e conclua. Tudo pode ser mudado depois, nas configurações.",
    settings: "Configurações", unlock: "Digite o PIN do operador", choosePin: "Escolha um PIN", choosePinText: "Ele será pedido para abrir as configurações.",
    wrongPin: "PIN incorreto", wait: "Muitas tentativas. Aguarde {n} s.", fixed: "Definido na partida do serviço", fromHub: "Definido pelo hub", secret: "••••••••", empty: "Nenhum",
    saved: "Salvo", failed: "Não foi possível salvar. Tente de novo.", busy: "Há uma operação em andamento. Tente de novo em instantes.", restarts: "O terminal reinicia em um instante para usar esta escolha.",
    "bad.user": "Use de 1 a 64 caracteres, sem dois-pontos", "bad.password": "Use pelo menos 8 caracteres", "bad.name": "Use até 40 caracteres", "bad.pin": "Use de 4 a 8 dígitos",
    "bad.network": "Informe o endereço da impressora", "printer.network": "Impressora de rede…", "printerModel.": "Automático, como ela diz que é",
    colourHint: "Dos botões e do que chama a atenção.", themeHint: "Escuro para lojas com pouca luz.", otherColourHint: "Seis dígitos, como #0b57d0.", "bad.colour": "Escreva a cor como #0b57d0",
    "colour.": "Verde (padrão)", "colour.#0b57d0": "Azul", "colour.#6b2fb3": "Roxo", "colour.#c2185b": "Rosa", "colour.#c62828": "Vermelho", "colour.#e65100": "Laranja", "colour.#ffc107": "Amarelo", "colour.#263238": "Grafite",
    "colour.other": "Outra cor…", "theme.light": "Claro", "theme.dark": "Escuro",
    "cardReceipt.none": "Não imprimir", "cardReceipt.customer": "Via do cliente", "cardReceipt.both": "Via do cliente e do estabelecimento", "cardReceipt.ask": "Perguntar na tela",
    "logo.on": "Definido", "logo.off": "Nenhum", choose: "Escolher…", remove: "Remover o logotipo", "any.on": "Imprimir", "any.off": "Não imprimir", "bad.logo": "Use um PNG de até 512 KB e um milhão de pontos, que não seja todo claro",
    "printer.none": "Nenhuma", "printer.virtual-576": "Virtual, papel de 80 mm", "printer.virtual-384": "Virtual, papel de 58 mm", "acquirer.none": "Nenhum", "acquirer.emulator": "Emulador",
  },
  en: {
    welcome: "Welcome", welcomeText: "In a few steps this terminal is ready for the shop.", begin: "Begin", later: "Later",
    next: "Continue", back: "Back", save: "Save", finish: "Finish", close: "Close", step: "Step {n} of {of}",
    language: "Language", user: "User", password: "Password", name: "Shop name", locale: "Language", colour: "Shop colour", theme: "Screen background", otherColour: "Another colour", printer: "Printer", printerModel: "Printer model", acquirer: "Acquirer", cardReceipt: "Card receipt", logo: "Logo", tradeName: "Trade name on coupons", phone: "Phone on coupons", itemNotes: "Item notes on coupons", pin: "Operator PIN", network: "Network printer",
    menu: "TEF menu", menuText: "Reprints, reports, cancellations",
    hub: "Hub", hubAddress: "Hub address", hubCode: "Hub code", hubPin: "Pin of the hub's certificate",
    hubAddressHint: "The address, or the whole line that the hub shows: maquininha join …", hubCodeHint: "The one somebody made at the hub; good for 10 minutes, once.", hubPinHint: "The hub made its own certificate: the pin is in the line that it shows, like sha256/…",
    userHint: "The shop's systems identify themselves with it.", passwordHint: "At least 8 characters. It will not be shown again.",
    nameHint: "Shown while the terminal is idle.", printerHint: "Where receipts are printed.", printerModelHint: "Language and paper width follow from it.", acquirerHint: "Who takes the payments.", cardReceiptHint: "What is printed after an approved payment.",
    logoHint: "PNG on the idle screen and at the top of fiscal coupons, up to 2 cm high.", tradeNameHint: "The issuer's (xFant), on fiscal coupons.", phoneHint: "The issuer's (fone), on fiscal coupons.", itemNotesHint: "Additional information of each item (infAdProd) on the NFC-e. On the NF-e it is always printed.",
    networkHint: "Address, such as 192.168.0.50 or 192.168.0.50:9100.",
    pinHint: "4 to 8 digits. It protects the settings.", pinAgain: "Type the PIN once more", pinDiffers: "The two differ. Choose again.",
    pinTyped: "{n} digits", show: "Show", hide: "Hide", ready: "All set", readyText: "Check and finish. Everything can be changed later in the settings.",
    settings: "Settings", unlock: "Type the operator PIN", choosePin: "Choose a PIN", choosePinText: "It will be asked for to open the settings.",
    wrongPin: "Wrong PIN", wait: "Too many attempts. Wait {n} s.", fixed: "Decided when the service was started", fromHub: "Decided by the hub", secret: "••••••••", empty: "None",
    saved: "Saved", failed: "Could not be saved. Try again.", busy: "An operation is under way. Try again in a moment.", restarts: "The terminal restarts in a moment to use this choice.",
    "bad.user": "Use 1 to 64 characters, no colon", "bad.password": "Use at least 8 characters", "bad.name": "Use up to 40 characters", "bad.pin": "Use 4 to 8 digits",
    "bad.network": "Type the printer's address", "printer.network": "Network printer…", "printerModel.": "Automatic, as it says itself",
    colourHint: "Of buttons, and of what is to be noticed.", themeHint: "Dark for shops with little light.", otherColourHint: "Six digits, such as #0b57d0.", "bad.colour": "Write the colour as #0b57d0",
    "colour.": "Green (usual)", "colour.#0b57d0": "Blue", "colour.#6b2fb3": "Purple", "colour.#c2185b": "Pink", "colour.#c62828": "Red", "colour.#e65100": "Orange", "colour.#ffc107": "Yellow", "colour.#263238": "Graphite",
    "colour.other": "Another colour…", "theme.light": "Light", "theme.dark": "Dark",
    "cardReceipt.none": "Do not print", "cardReceipt.customer": "Customer copy", "cardReceipt.both": "Customer and merchant copies", "cardReceipt.ask": "Ask on the screen",
    "logo.on": "Set", "logo.off": "None", choose: "Choose…", remove: "Remove the logo", "any.on": "Print", "any.off": "Do not print", "bad.logo": "Use a PNG of up to 512 KB and a million pixels that is not all light",
    "printer.none": "None", "printer.virtual-576": "Virtual, 80 mm paper", "printer.virtual-384": "Virtual, 58 mm paper", "acquirer.none": "None", "acquirer.emulator": "Emulator",
  },
  es: {
    welcome: "Bienvenido", welcomeText: "En pocos pasos este terminal queda listo para la tienda.", begin: "Empezar", later: "Después",
    next: "Continuar", back: "Volver", save: "Guardar", finish: "Terminar", close: "Cerrar", step: "Paso {n} de {of}",
    language: "Idioma", user: "Usuario", password: "Contraseña", name: "Nombre de la tienda", locale: "Idioma", colour: "Color de la tienda", theme: "Fondo de la pantalla", otherColour: "Otro color", printer: "Impresora", printerModel: "Modelo de la impresora", acquirer: "Adquirente", cardReceipt: "Comprobante de tarjeta", logo: "Logotipo", tradeName: "Nombre comercial en el cupón", phone: "Teléfono en el cupón", itemNotes: "Notas de los ítems en el cupón", pin: "PIN del operador", network: "Impresora de red",
    menu: "Menú del TEF", menuText: "Reimpresión, informes, anulaciones",
    hub: "Hub", hubAddress: "Dirección del hub", hubCode: "Código del hub", hubPin: "Pin del certificado del hub",
    hubAddressHint: "La dirección, o la línea entera que muestra el hub: maquininha join …", hubCodeHint: "El que alguien generó en el hub; vale 10 minutos, una vez.", hubPinHint: "El hub hizo su propio certificado: el pin está en la línea que muestra, como sha256/…",
    userHint: "Con él se identifican los sistemas de la tienda.", passwordHint: "Al menos 8 caracteres. No se mostrará de nuevo.",
    nameHint: "Aparece en la pantalla de reposo.", printerHint: "Dónde se imprimen los recibos.", printerModelHint: "De él siguen el lenguaje y el ancho del papel.", acquirerHint: "Quién recibe los pagos.", cardReceiptHint: "Qué se imprime después de un pago aprobado.",
    logoHint: "PNG en la pantalla de reposo y arriba de los cupones fiscales, de hasta 2 cm de alto.", tradeNameHint: "El del emisor (xFant), en los cupones fiscales.", phoneHint: "El del emisor (fone), en los cupones fiscales.", itemNotesHint: "La información adicional de cada ítem (infAdProd) en la NFC-e. En la NF-e siempre se imprime.",
    networkHint: "Dirección, como 192.168.0.50 o 192.168.0.50:9100.",
    pinHint: "De 4 a 8 dígitos. Protege la configuración.", pinAgain: "Escriba el PIN una vez más", pinDiffers: "Los dos no son iguales. Elija de nuevo.",
    pinTyped: "{n} dígitos", show: "Mostrar", hide: "Ocultar", ready: "Todo listo", readyText: "Revise y termine. Todo se puede cambiar después en la configuración.",
    settings: "Configuración", unlock: "Escriba el PIN del operador", choosePin: "Elija un PIN", choosePinText: "Se pedirá para abrir la configuración.",
    wrongPin: "PIN incorrecto", wait: "Demasiados intentos. Espere {n} s.", fixed: "Definido al iniciar el servicio", fromHub: "Definido por el hub", secret: "••••••••", empty: "Ninguno",
    saved: "Guardado", failed: "No se pudo guardar. Intente de nuevo.", busy: "Hay una operación en curso. Intente de nuevo en un momento.", restarts: "El terminal se reinicia en un momento para usar esta opción.",
    "bad.user": "Use de 1 a 64 caracteres, sin dos puntos", "bad.password": "Use al menos 8 caracteres", "bad.name": "Use hasta 40 caracteres", "bad.pin": "Use de 4 a 8 dígitos",
    "bad.network": "Escriba la dirección de la impresora", "printer.network": "Impresora de red…", "printerModel.": "Automático, como ella dice que es",
    colourHint: "De los botones y de lo que llama la atención.", themeHint: "Oscuro para tiendas con poca luz.", otherColourHint: "Seis dígitos, como #0b57d0.", "bad.colour": "Escriba el color como #0b57d0",
    "colour.": "Verde (habitual)", "colour.#0b57d0": "Azul", "colour.#6b2fb3": "Morado", "colour.#c2185b": "Rosa", "colour.#c62828": "Rojo", "colour.#e65100": "Naranja", "colour.#ffc107": "Amarillo", "colour.#263238": "Grafito",
    "colour.other": "Otro color…", "theme.light": "Claro", "theme.dark": "Oscuro",
    "cardReceipt.none": "No imprimir", "cardReceipt.customer": "Copia del cliente", "cardReceipt.both": "Copias del cliente y del comercio", "cardReceipt.ask": "Preguntar en la pantalla",
    "logo.on": "Definido", "logo.off": "Ninguno", choose: "Elegir…", remove: "Quitar el logotipo", "any.on": "Imprimir", "any.off": "No imprimir", "bad.logo": "Use un PNG de hasta 512 KB y un millón de puntos, que no sea todo claro",
    "printer.none": "Ninguna", "printer.virtual-576": "Virtual, papel de 80 mm", "printer.virtual-384": "Virtual, papel de 58 mm", "acquirer.none": "Ninguno", "acquirer.emulator": "Emulador",
  },
});

// named is a choice in the page's language, or as the service calls it.
export function named(field, choice) {
  if (!choice) return t("empty");
  const key = [`${field}.${choice.id}`, `any.${choice.id}`].find(t.has);
  return key ? t(key) : choice.label;
}

// complaint is what to say of an answer that was not ok.
export function complaint({ status, data }) {
  if (status === 429) return t("wait", { n: data?.seconds ?? 30 });
  if (status !== 422) return t("failed");
  if (!data?.field) return t("busy");
  const key = `bad.${data.field}`;
  return t.has(key) ? t(key) : data.message;
}
