// Who is told of what happens, and what became of telling it.
import { all as readAll, deliveries, make, revoke } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { words } from "../i18n.js";
import { liveFirst, Pages, Table, usePages } from "../list.js";
import { Asking, Badge, Dialog, Field, Told, When } from "../parts.js";
import { PlaceFilter, placeName, usePlaces } from "../places.js";
import { hashOf } from "../route.js";
import { Button } from "../ui.js";
import { why } from "../why.js";

const t = words({
  "pt-BR": {
    title: "Webhooks", add: "Novo webhook", name: "Nome", url: "Endereço", types: "Eventos", sees: "Vê", everything: "tudo", acts: "Ações", revoke: "Revogar", revoked: "revogado", save: "Criar", secret: "Segredo das assinaturas", once: "Anote agora: não será mostrado de novo.",
    sure: "Revogar {name} para sempre? O que falta entregar não será enviado.", none: "Nenhum webhook ainda.", all: "todos", deliveries: "Entregas", back: "Todos os webhooks", event: "Evento", at: "Quando", state: "Situação", tries: "Tentativas", next: "Próxima", again: "Enviar de novo", test: "Enviar teste", empty: "Nenhuma entrega ainda.",
    pending: "pendente", delivered: "entregue", failed: "falhou",
    transactions: "Transações: aprovadas, recusadas, canceladas, estornadas", presence: "Presença dos terminais", trouble: "Problemas: impressora, adquirente, pagamentos a conferir",
  },
  en: {
    title: "Webhooks", add: "New webhook", name: "Name", url: "Address", types: "Events", sees: "Sees", everything: "everything", acts: "Actions", revoke: "Revoke", revoked: "revoked", save: "Make", secret: "Secret of the signatures", once: "Write it down now: it is not shown again.",
    sure: "Revoke {name} for ever? What was not delivered yet is not sent.", none: "No webhook yet.", all: "all", deliveries: "Deliveries", back: "All webhooks", event: "Event", at: "When", state: "State", tries: "Attempts", next: "Next", again: "Send again", test: "Send a test", empty: "No delivery yet.",
    pending: "pending", delivered: "delivered", failed: "failed",
    transactions: "Transactions: approved, refused, cancelled, reversed", presence: "Presence of terminals", trouble: "Trouble: printer, acquirer, payments to check",
  },
  es: {
    title: "Webhooks", add: "Nuevo webhook", name: "Nombre", url: "Dirección", types: "Eventos", sees: "Ve", everything: "todo", acts: "Acciones", revoke: "Revocar", revoked: "revocado", save: "Crear", secret: "Secreto de las firmas", once: "Anótelo ahora: no se mostrará de nuevo.",
    sure: "¿Revocar {name} para siempre? Lo que falta entregar no se enviará.", none: "Ningún webhook todavía.", all: "todos", deliveries: "Entregas", back: "Todos los webhooks", event: "Evento", at: "Cuándo", state: "Estado", tries: "Intentos", next: "Próxima", again: "Enviar de nuevo", test: "Enviar prueba", empty: "Ninguna entrega todavía.",
    pending: "pendiente", delivered: "entregada", failed: "falló",
    transactions: "Transacciones: aprobadas, rechazadas, canceladas, anuladas", presence: "Presencia de los terminales", trouble: "Problemas: impresora, adquirente, pagos por verificar",
  },
});

// What can be asked for, in groups that people choose between.
const groups = {
  transactions: ["transaction.approved", "transaction.refused", "transaction.cancelled", "transaction.reversed"],
  presence: ["terminal.online", "terminal.offline"],
  trouble: ["terminal.printer", "terminal.acquirer", "terminal.unresolved"],
};
const everyType = Object.values(groups).flat();

export function Webhooks({ id }) {
  usePlaces();
  return id ? html`<${Deliveries} id=${id} />` : html`<${List} />`;
}

function List() {
  const list = usePages(() => readAll("webhooks"), "webhooks");
  const [asked, ask] = useState(null); // {making}, {ending: hook} or {told}
  const done = (next = null) => {
    ask(next);
    list.again();
  };
  const end = async (hook) => {
    const said = await revoke(`/webhooks/${encodeURIComponent(hook.id)}`);
    if (said.error === undefined) done();
    return said;
  };
  const columns = [
    { title: t("name"), cell: (hook) => html`<a href=${hashOf("webhooks", hook.id)}>${hook.name}</a>` },
    { title: t("url"), cell: (hook) => html`<code>${hook.url}</code>` },
    { title: t("types"), cell: (hook) => (hook.types.length === everyType.length ? t("all") : hook.types.join(", ")) },
    { title: t("sees"), short: true, cell: (hook) => (hook.tenant ? placeName(hook) : t("everything")) },
    { title: t("acts"), cell: (hook) => (hook.revokedAt ? html`<${Badge} kind="bad">${t("revoked")}<//>` : html`<span class="acts">
      <a class="act" href=${hashOf("webhooks", hook.id)}>${t("deliveries")}</a>
      <button type="button" class="act" data-do="revoke-webhook" onClick=${() => ask({ ending: hook })}>${t("revoke")}</button></span>`) },
  ];
  return html`
    <header class="view-head"><h1>${t("title")}</h1><${Button} kind="primary" data-do="new-webhook" onPress=${() => ask({ making: true })}>${t("add")}<//></header>
    <${Pages} list=${list} none=${t("none")}>${(items) => html`<${Table} label=${t("title")} columns=${columns} items=${liveFirst(items)} row=${(hook) => ({ key: hook.id, "data-item": hook.name })} />`}<//>
    ${asked?.making && html`<${Make} onClose=${() => ask(null)} onMade=${(told) => done({ told })} />`}
    ${asked?.ending && html`<${Asking} title=${t("revoke")} name="revoke" onClose=${() => ask(null)} send=${() => end(asked.ending)} act=${t("revoke")} does="revoke-sure"><p>${t("sure", { name: asked.ending.name })}</p><//>`}
    ${asked?.told && html`<${Dialog} title=${t("title")} name="secret" onClose=${() => ask(null)}><p>${t("once")}</p><${Told} label=${t("secret")} text=${asked.told.secret} name="secret" /><//>`}`;
}

function Make({ onClose, onMade }) {
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [chosen, choose] = useState(Object.keys(groups));
  const [place, setPlace] = useState({ tenant: "", shop: "" });
  const save = async () => {
    const { data, ...not } = await make("/webhooks", { name: name.trim(), url: url.trim(), types: chosen.flatMap((one) => groups[one]), ...place });
    if (data) onMade(data);
    return not;
  };
  return html`
    <${Asking} title=${t("add")} name="new-webhook" onClose=${onClose} send=${save} act=${t("save")} does="save" ready=${Boolean(name.trim() && url.trim() && chosen.length)}>
      <${Field} label=${t("name")} name="item-name" value=${name} onInput=${setName} maxlength="100" autocomplete="off" />
      <${Field} label=${t("url")} name="url" type="url" value=${url} onInput=${setUrl} placeholder="https://" autocomplete="off" />
      ${Object.keys(groups).map((one) => html`<label class="check" key=${one}><input type="checkbox" name=${one} checked=${chosen.includes(one)}
        onChange=${(event) => choose(event.currentTarget.checked ? [...chosen, one] : chosen.filter((other) => other !== one))} /> ${t(one)}</label>`)}
      <${PlaceFilter} ...${place} onPick=${setPlace} />
    <//>`;
}

const kinds = { pending: "warn", delivered: "good", failed: "bad" };

function Deliveries({ id }) {
  const list = usePages((cursor) => deliveries(id, cursor), id);
  const [hook, setHook] = useState(null);
  const [failed, setFailed] = useState("");
  useEffect(() => {
    readAll("webhooks").then(({ items }) => setHook(items?.find((one) => one.id === id) ?? null));
  }, [id]);
  const path = `/webhooks/${encodeURIComponent(id)}`;
  const act = async (what) => {
    const said = await make(path + what, {});
    setFailed(said.error === undefined ? "" : why(said));
    list.again();
  };
  const columns = [
    { title: t("event"), short: true, cell: ({ event }) => html`<b>${event.type}</b> <small>${event.data.referenceId ?? event.data.name ?? ""}</small>` },
    { title: t("at"), cell: ({ event }) => html`<${When} at=${event.timestamp} />` },
    { title: t("state"), cell: (one) => html`<${Badge} kind=${kinds[one.state]}>${t(one.state)}<//> ${one.state !== "delivered" && one.trouble && html`<span class="why">${one.trouble}</span>`}` },
    { title: t("tries"), short: true, cell: (one) => one.attempts },
    { title: t("next"), cell: (one) => html`<${When} at=${one.dueAt} />` },
    { title: t("acts"), cell: (one) => !hook?.revokedAt && html`<button type="button" class="act" data-do="again" onClick=${() => act("/deliveries/" + one.event.number)}>${t("again")}</button>` },
  ];
  return html`
    <header class="view-head"><div><a class="back" href=${hashOf("webhooks")}>← ${t("back")}</a><h1>${hook ? `${t("deliveries")}: ${hook.name}` : t("deliveries")}</h1></div>
      ${hook && !hook.revokedAt && html`<${Button} kind="primary" data-do="test-webhook" onPress=${() => act("/test")}>${t("test")}<//>`}</header>
    ${hook && html`<p class="why about"><code>${hook.url}</code> ${hook.revokedAt && html`<${Badge} kind="bad">${t("revoked")}<//>`}</p>`}
    <p class="bad" role="alert">${failed}</p>
    <${Pages} list=${list} none=${t("empty")}>${(items) => html`<${Table} label=${t("deliveries")} columns=${columns} items=${items} row=${(one) => ({ key: one.event.number, "data-delivery": one.event.type, "data-state": one.state })} />`}<//>`;
}
