// The words of questions. Reasons come from the service by name.

import { words } from "../i18n.js";

export const t = words({
  "pt-BR": {
    progress: "{n} de {of}", optional: "(opcional)", confirm: "Confirmar", cancel: "Cancelar", skip: "Pular",
    options: "Opções", letters: "ABC", blank: "Sem resposta",
    sure: "Confirma a resposta?", correct: "Corrigir", success: "Tudo certo!", thanks: "Obrigado.",
    "offline": "Sem resposta do terminal. Tente de novo.",
    "ask TEXT": "Digite a resposta", "ask NUMBER": "Digite o número", "ask PHONE": "Digite o telefone com DDD",
    "ask CPF": "Digite o CPF", "ask CNPJ": "Digite o CNPJ", "ask CPFORCNPJ": "Digite o CPF ou o CNPJ",
    "ask EMAIL": "Digite o e-mail", "ask CEP": "Digite o CEP", "ask DATE": "Digite a data", "ask TIME": "Digite o horário",
    "ask MONEY": "Digite o valor", "ask REGEX": "Digite a resposta", "ask LIST": "Escolha uma opção", "ask BUTTON": "Escolha uma opção",
    "required": "Esta resposta é obrigatória.",
    "too short": "Muito curto: use pelo menos {min} caracteres.",
    "too short exact": "Use {min} caracteres.",
    "too long": "Muito longo: use no máximo {max} caracteres.",
    "not one line of text": "Use apenas uma linha de texto.",
    "not as the mask": "Preencha todos os dígitos.",
    "not only digits": "Use apenas números.",
    "not a phone number": "Telefone inválido. Confira o DDD e o número.",
    "not a CPF": "CPF inválido. Confira os números.",
    "not a CNPJ": "CNPJ inválido. Confira o que digitou.",
    "neither a CPF nor a CNPJ": "CPF ou CNPJ inválido. Confira o que digitou.",
    "not an e-mail address": "E-mail inválido. Exemplo: nome@exemplo.com.br",
    "not a CEP": "CEP inválido. Confira os números.",
    "not a date": "Data inválida. Use dia, mês e ano.",
    "not a time of day": "Horário inválido. Use de 00:00 a 23:59.",
    "not an amount of money": "Valor inválido.",
    "not as the regex": "A resposta não está no formato esperado.",
    "not one of the options": "Escolha uma das opções.",
    "refused": "Resposta não aceita.",
  },
  en: {
    progress: "{n} of {of}", optional: "(optional)", confirm: "Confirm", cancel: "Cancel", skip: "Skip",
    options: "Options", letters: "ABC", blank: "No answer",
    sure: "Is this answer right?", correct: "Change", success: "All done!", thanks: "Thank you.",
    "offline": "The terminal did not answer. Try again.",
    "ask TEXT": "Type the answer", "ask NUMBER": "Type the number", "ask PHONE": "Type the phone number with area code",
    "ask CPF": "Type the CPF", "ask CNPJ": "Type the CNPJ", "ask CPFORCNPJ": "Type the CPF or the CNPJ",
    "ask EMAIL": "Type the e-mail address", "ask CEP": "Type the postal code (CEP)", "ask DATE": "Type the date", "ask TIME": "Type the time",
    "ask MONEY": "Type the amount", "ask REGEX": "Type the answer", "ask LIST": "Choose an option", "ask BUTTON": "Choose an option",
    "required": "This answer is required.",
    "too short": "Too short: use at least {min} characters.",
    "too short exact": "Use {min} characters.",
    "too long": "Too long: use at most {max} characters.",
    "not one line of text": "Use one line of text only.",
    "not as the mask": "Fill in every digit.",
    "not only digits": "Use digits only.",
    "not a phone number": "Not a valid phone number. Check area code and number.",
    "not a CPF": "Not a valid CPF. Check the digits.",
    "not a CNPJ": "Not a valid CNPJ. Check what you typed.",
    "neither a CPF nor a CNPJ": "Not a valid CPF or CNPJ. Check what you typed.",
    "not an e-mail address": "Not a valid e-mail address. Example: name@example.com",
    "not a CEP": "Not a valid postal code. Check the digits.",
    "not a date": "Not a valid date. Use day, month and year.",
    "not a time of day": "Not a valid time. Use 00:00 to 23:59.",
    "not an amount of money": "Not a valid amount.",
    "not as the regex": "The answer is not in the expected format.",
    "not one of the options": "Choose one of the options.",
    "refused": "The answer was not accepted.",
  },
  es: {
    progress: "{n} de {of}", optional: "(opcional)", confirm: "Confirmar", cancel: "Cancelar", skip: "Omitir",
    options: "Opciones", letters: "ABC", blank: "Sin respuesta",
    sure: "¿Confirma la respuesta?", correct: "Corregir", success: "¡Todo listo!", thanks: "Gracias.",
    "offline": "El terminal no respondió. Inténtelo de nuevo.",
    "ask TEXT": "Escriba la respuesta", "ask NUMBER": "Escriba el número", "ask PHONE": "Escriba el teléfono con código de área",
    "ask CPF": "Escriba el CPF", "ask CNPJ": "Escriba el CNPJ", "ask CPFORCNPJ": "Escriba el CPF o el CNPJ",
    "ask EMAIL": "Escriba el correo electrónico", "ask CEP": "Escriba el código postal (CEP)", "ask DATE": "Escriba la fecha", "ask TIME": "Escriba la hora",
    "ask MONEY": "Escriba el valor", "ask REGEX": "Escriba la respuesta", "ask LIST": "Elija una opción", "ask BUTTON": "Elija una opción",
    "required": "Esta respuesta es obligatoria.",
    "too short": "Muy corto: use al menos {min} caracteres.",
    "too short exact": "Use {min} caracteres.",
    "too long": "Muy largo: use como máximo {max} caracteres.",
    "not one line of text": "Use una sola línea de texto.",
    "not as the mask": "Complete todos los dígitos.",
    "not only digits": "Use solo números.",
    "not a phone number": "Teléfono no válido. Revise el código de área y el número.",
    "not a CPF": "CPF no válido. Revise los números.",
    "not a CNPJ": "CNPJ no válido. Revise lo que escribió.",
    "neither a CPF nor a CNPJ": "CPF o CNPJ no válido. Revise lo que escribió.",
    "not an e-mail address": "Correo no válido. Ejemplo: nombre@ejemplo.com",
    "not a CEP": "Código postal no válido. Revise los números.",
    "not a date": "Fecha no válida. Use día, mes y año.",
    "not a time of day": "Hora no válida. Use de 00:00 a 23:59.",
    "not an amount of money": "Valor no válido.",
    "not as the regex": "La respuesta no tiene el formato esperado.",
    "not one of the options": "Elija una de las opciones.",
    "refused": "Respuesta no aceptada.",
  },
});

// complaint is what the person reads when an answer is not accepted: the
// caller's words where it gave any, except when the terminal did not answer.
export function complaint(question, reason) {
  if (!reason) return "";
  if (question.errorMessage && reason !== "offline") return question.errorMessage;
  const { minLength: min, maxLength: max } = question;
  if (reason === "too short" && min === max) return t("too short exact", { min });
  return t(t.has(reason) ? reason : "refused", { min, max });
}

export function prompt(question) {
  return question.question || t("ask " + question.type);
}

// Where the caller has no text of his own the interface's default comes, which is Portuguese.
const unsaid = { confirm: "Confirmar", cancel: "Cancelar" };

// buttonText is the caller's text, or else the page's own.
export function buttonText(text, key) {
  return !text || text === unsaid[key] ? t(key) : text;
}

// sendText is what the button says that gives the answer: nothing typed where nothing must be is skipped, unless the
// caller has a word for that.
export function sendText(text, skips) {
  return skips && (!text || text === unsaid.confirm) ? t("skip") : buttonText(text, "confirm");
}
