// Signing in.
import { signIn } from "../api.js";
import { html, useState } from "../html.js";
import { words } from "../i18n.js";
import { Field, Languages } from "../parts.js";
import { change } from "../store.js";
import { Button } from "../ui.js";

const t = words({
  "pt-BR": { title: "Entrar no hub", name: "Pessoa", password: "Senha", enter: "Entrar", wrong: "Pessoa ou senha erradas", silent: "O hub não respondeu" },
  en: { title: "Sign in to the hub", name: "Person", password: "Password", enter: "Sign in", wrong: "Wrong person or password", silent: "The hub did not answer" },
  es: { title: "Entrar en el hub", name: "Persona", password: "Contraseña", enter: "Entrar", wrong: "Persona o contraseña incorrectas", silent: "El hub no respondió" },
});

export function SignIn() {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [error, setError] = useState("");
  const enter = async () => {
    const { who, status, message } = await signIn(name.trim(), password);
    if (who) {
      change({ session: who });
      return;
    }
    setPassword("");
    setError(status === 0 ? t("silent") : status === 403 ? t("wrong") : message);
  };
  return html`
    <main class="signin">
      <form onSubmit=${(event) => { event.preventDefault(); enter(); }}>
        <img src="/icon.svg" alt="" />
        <h1>${t("title")}</h1>
        <${Field} label=${t("name")} name="name" value=${name} onInput=${setName} autocomplete="username" autocapitalize="none" />
        <${Field} label=${t("password")} name="password" type="password" value=${password} onInput=${setPassword} autocomplete="current-password" />
        <p class="bad" role="alert">${error}</p>
        <${Button} kind="primary" type="submit" data-do="signin" disabled=${!name || !password}>${t("enter")}<//>
        <${Languages} />
      </form>
    </main>`;
}
