// Signing in.
import { signIn } from "../api.js";
import { html, useState } from "../html.js";
import { words } from "../i18n.js";
import { CodeField, Field, Languages } from "../parts.js";
import { change } from "../store.js";
import { Button } from "../ui.js";

const t = words({
  "pt-BR": { title: "Entrar no hub", name: "Pessoa", password: "Senha", enter: "Entrar", wrong: "Pessoa ou senha erradas", silent: "O hub não respondeu", code: "Código do segundo fator", wrongCode: "Código errado ou já usado", tries: "Muitos códigos errados; tente de novo em 15 minutos" },
  en: { title: "Sign in to the hub", name: "Person", password: "Password", enter: "Sign in", wrong: "Wrong person or password", silent: "The hub did not answer", code: "Code of the second factor", wrongCode: "Wrong code, or one that was used", tries: "Too many wrong codes; try again in 15 minutes" },
  es: { title: "Entrar en el hub", name: "Persona", password: "Contraseña", enter: "Entrar", wrong: "Persona o contraseña incorrectas", silent: "El hub no respondió", code: "Código del segundo factor", wrongCode: "Código incorrecto o ya usado", tries: "Demasiados códigos incorrectos; intente de nuevo en 15 minutos" },
});

export function SignIn() {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState(null); // null: nobody has asked for one
  const [error, setError] = useState("");
  const enter = async () => {
    const { who, status, message } = await signIn(name.trim(), password, code ?? "");
    if (who) {
      change({ session: who });
      return;
    }
    setError(status === 0 ? t("silent") : status === 428 ? "" : status === 429 ? t("tries") : status !== 403 ? message : code === null ? t("wrong") : t("wrongCode"));
    if (status === 428 || code !== null) setCode("");
    else setPassword("");
  };
  return html`
    <main class="signin">
      <form onSubmit=${(event) => { event.preventDefault(); enter(); }}>
        <img src="/icon.svg" alt="" />
        <h1>${t("title")}</h1>
        <${Field} label=${t("name")} name="name" value=${name} onInput=${setName} autocomplete="username" autocapitalize="none" />
        <${Field} label=${t("password")} name="password" type="password" value=${password} onInput=${setPassword} autocomplete="current-password" />
        ${code !== null && html`<${CodeField} label=${t("code")} name="code" value=${code} onInput=${setCode} autofocus />`}
        <p class="bad" role="alert">${error}</p>
        <${Button} kind="primary" type="submit" data-do="signin" disabled=${!name || !password || code === ""}>${t("enter")}<//>
        <${Languages} />
      </form>
    </main>`;
}
