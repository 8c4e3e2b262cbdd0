// Why the hub did not do something. It says so in Portuguese; the other languages have words for the usual reasons.
import { locale, words } from "./i18n.js";

const t = words({
  "pt-BR": { silent: "o hub não respondeu" },
  en: { silent: "the hub did not answer", 400: "not like this", 403: "your role does not allow it", 404: "not found", 409: "there is one of this name", 428: "a code of the second factor is missing", 429: "too many wrong codes; try again in 15 minutes", 503: "the hub's database does not answer" },
  es: { silent: "el hub no respondió", 400: "así no", 403: "su papel no lo permite", 404: "no encontrado", 409: "ya existe uno con este nombre", 428: "falta el código del segundo factor", 429: "demasiados códigos incorrectos; intente en 15 minutos", 503: "la base de datos del hub no responde" },
});

// why takes what api.js gives: {error, status}.
export function why({ error, status }) {
  if (!error) return t("silent");
  const said = t(String(status));
  return locale() === "pt-BR" || said === String(status) ? error : said;
}
