// The hub's own interface, as the page uses it. Nothing here throws: status 0 means that nobody answered.
import { get, post, remove } from "./http.js";

const base = "/api/v1";

export async function about() {
  return (await get("/page/about")).data ?? {};
}

// session is who is signed in, null when nobody is, undefined when the hub does not answer.
export async function session() {
  const { ok, status, data } = await get(base + "/session");
  if (ok) return data;
  return status === 401 ? null : undefined;
}

export async function signIn(name, password, code) {
  const { ok, status, data } = await post(base + "/session", { name, password, code });
  return { who: ok ? data : null, status, message: data?.message ?? "" };
}

export function signOut() {
  return remove(base + "/session");
}

// query is ?a=b of what is not empty; a list is given name by name.
export function query(values) {
  const pairs = Object.entries(values).flatMap(([key, value]) => (Array.isArray(value) ? value.map((one) => [key, one]) : [[key, value]]));
  const text = new URLSearchParams(pairs.filter(([, value]) => value !== "" && value !== undefined && value !== false)).toString();
  return text ? "?" + text : "";
}

// dated is a filter whose dates are those of where the person is, not of the hub.
export function dated(filter) {
  return { ...filter, zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}

// Each of these reads a page of a list: {items, next, total} or {error}. next is the cursor of the page after it, empty at the end.
export async function terminals(filter, cursor) {
  const offset = Number(cursor || 0);
  const { data, ...not } = await read("/terminals" + query({ ...filter, offset: offset || "" }));
  if (!data) return not;
  const past = offset + data.terminals.length;
  return { items: data.terminals.map(flat), next: past < data.total ? String(past) : "", total: data.total, counts: data.counts, versions: data.versions, serial: data.serial };
}

export async function transactions(filter, cursor) {
  const { data, ...not } = await read("/transactions" + query({ ...dated(filter), after: cursor }));
  return data ? { items: data.transactions, next: data.next ?? "" } : not;
}

export async function logs(filter, cursor) {
  const { data, ...not } = await read("/logs" + query({ ...dated(filter), after: cursor }));
  return data ? { items: data.entries, next: data.next ?? "" } : not;
}

export async function gaps(filter, cursor) {
  const { data, ...not } = await read("/gaps" + query({ ...filter, after: cursor }));
  return data ? { items: data.gaps, next: data.next ?? "" } : not;
}

const operationsAtOnce = 100;

export async function operations(filter, cursor) {
  const { data, ...not } = await read("/operations" + query({ ...filter, limit: operationsAtOnce, before: cursor }));
  return data ? { items: data, next: data.length === operationsAtOnce ? data.at(-1).id : "" } : not;
}

export async function audit(limit, cursor) {
  const { data, ...not } = await read("/audit" + query({ limit, before: cursor }));
  return data ? { items: data, next: data.length === limit ? String(data.at(-1).number) : "" } : not;
}

const deliveriesAtOnce = 100;

export async function deliveries(webhook, cursor) {
  const { data, ...not } = await read(`/webhooks/${encodeURIComponent(webhook)}/deliveries` + query({ limit: deliveriesAtOnce, before: cursor }));
  return data ? { items: data, next: data.length === deliveriesAtOnce ? String(data.at(-1).event.number) : "" } : not;
}

const versionsAtOnce = 100;

export async function settingsVersions(id, cursor) {
  const { data, ...not } = await read(`/settings/${encodeURIComponent(id)}/versions` + query({ limit: versionsAtOnce, before: cursor }));
  return data ? { items: data, next: data.length === versionsAtOnce ? String(data.at(-1).version) : "" } : not;
}

export async function settingsStandings(filter, cursor) {
  const offset = Number(cursor || 0);
  const { data, ...not } = await read("/settings/terminals" + query({ ...filter, offset: offset || "" }));
  if (!data) return not;
  const past = offset + data.terminals.length;
  return { items: data.terminals, next: past < data.total ? String(past) : "", counts: data.counts };
}

// all is a list that comes whole.
export async function all(what) {
  const { data, ...not } = await read("/" + what);
  return data ? { items: data, next: "" } : not;
}

// flat is a terminal with its state beside its name.
export function flat({ state = {}, ...terminal }) {
  const { at, clockOffSeconds, ...rest } = state;
  return { ...terminal, ...rest, toldAt: at, clockOff: clockOffSeconds };
}

// read is one thing: {data} or {error, status}.
export async function read(path) {
  const { ok, status, data } = await get(base + path);
  return ok ? { data } : { error: data?.message ?? "", status };
}

// make asks for something new: {data} or {error}.
export function make(path, body) {
  return send(path, body, "POST");
}

// alter asks for a change.
export function alter(path, body) {
  return send(path, body, "PATCH");
}

// put asks for something to be so.
export function put(path, body) {
  return send(path, body, "PUT");
}

// drop asks for something to be so no more, with a reason or a proof.
export function drop(path, body) {
  return send(path, body, "DELETE");
}

async function send(path, body, method) {
  const { ok, status, data } = await post(base + path, body, { method });
  return ok ? { data: data ?? {} } : { error: data?.message ?? "", status };
}

// revoke takes something back for ever: {} or {error}.
export async function revoke(path) {
  const { ok, status, data } = await remove(base + path);
  return ok ? {} : { error: data?.message ?? "", status };
}

// exportOf is where a whole list is downloaded from.
export function exportOf(what, filter) {
  return base + "/" + what + ".csv" + query(dated(filter));
}

// drawQR is the address of a picture of a text; empty: it can't be drawn. Whoever shows it gives it back with URL.revokeObjectURL.
export async function drawQR(text) {
  try {
    const response = await fetch("/page/qr", { method: "POST", body: text });
    return response.ok ? URL.createObjectURL(await response.blob()) : "";
  } catch {
    return "";
  }
}
