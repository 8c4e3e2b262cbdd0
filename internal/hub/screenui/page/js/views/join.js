// Joining a terminal: a code for ten minutes, the line to type, and a picture of it.
import { all, drawQR, make } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { words } from "../i18n.js";
import { Dialog, Field, Select, Told, When } from "../parts.js";
import { Button } from "../ui.js";

const t = words({
  "pt-BR": {
    title: "Ligar um terminal", name: "Nome do terminal (opcional)", shop: "Loja", make: "Gerar código", code: "Código", until: "Vale uma vez, até",
    line: "No terminal, digite", picture: "QR com a linha acima", failed: "O código não foi gerado: {why}", silent: "o hub não respondeu",
  },
  en: {
    title: "Join a terminal", name: "Name of the terminal (optional)", shop: "Shop", make: "Make a code", code: "Code", until: "Good for one use, until",
    line: "At the terminal, type", picture: "QR of the line above", failed: "No code was made: {why}", silent: "the hub did not answer",
  },
  es: {
    title: "Conectar un terminal", name: "Nombre del terminal (opcional)", shop: "Tienda", make: "Generar código", code: "Código", until: "Vale una vez, hasta",
    line: "En el terminal, escriba", picture: "QR de la línea de arriba", failed: "No se generó el código: {why}", silent: "el hub no respondió",
  },
});

export function Join({ onClose }) {
  const [name, setName] = useState("");
  const [shops, setShops] = useState([]);
  const [shop, setShop] = useState("");
  const [code, setCode] = useState(null);
  const [error, setError] = useState("");
  useEffect(() => {
    all("shops").then(({ items = [] }) => {
      setShops(items);
      setShop(items[0]?.id ?? "");
    });
  }, []);
  const ask = async () => {
    const { data, error: why } = await make("/codes", { name: name.trim(), shop });
    setCode(data ?? null);
    setError(data ? "" : t("failed", { why: why || t("silent") }));
  };
  return html`
    <${Dialog} title=${t("title")} name="join" onClose=${onClose}>
      ${code ? html`<${Made} code=${code} />` : html`
        <${Field} label=${t("name")} name="terminal-name" value=${name} onInput=${setName} maxlength="100" />
        ${shops.length > 1 && html`<${Select} label=${t("shop")} name="shop" value=${shop} onPick=${setShop} options=${shops.map((s) => [s.id, s.name])} />`}
        <p class="bad" role="alert">${error}</p>
        <${Button} kind="primary" data-do="make-code" onPress=${ask}>${t("make")}<//>`}
    <//>`;
}

function Made({ code }) {
  const { line } = code;
  const [picture, setPicture] = useState("");
  useEffect(() => {
    let drawn = "";
    let ended = false;
    drawQR(line).then((address) => {
      drawn = address;
      if (ended) URL.revokeObjectURL(address);
      else setPicture(address);
    });
    return () => {
      ended = true;
      if (drawn) URL.revokeObjectURL(drawn);
    };
  }, [line]);
  return html`
    <p class="code" data-code=${code.code}>${code.code.slice(0, 4)} ${code.code.slice(4)}</p>
    <p class="why">${t("until")} <${When} at=${code.expiresAt} /></p>
    <${Told} label=${t("line")} text=${line} name="line" />
    ${picture && html`<img class="qr" src=${picture} alt=${t("picture")} />`}`;
}
