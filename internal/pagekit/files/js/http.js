// The page's requests to the service. They never throw: status 0 means that nobody answered.

const answerWithin = 15000;

// post tells the service what a person did: {ok, status, data}.
export function post(path, body = {}, options = {}) {
  return request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerWithin),
    ...options,
  });
}

// send waits for the answer as long as it takes.
export function send(path, options) {
  return request(path, { method: "POST", ...options });
}

export function remove(path) {
  return request(path, { method: "DELETE", signal: AbortSignal.timeout(answerWithin) });
}

export function get(path, options = {}) {
  return request(path, options);
}

async function request(path, options) {
  try {
    const response = await fetch(path, options);
    const text = await response.text();
    return { ok: response.ok, status: response.status, data: parse(text) };
  } catch {
    return { ok: false, status: 0, data: null };
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
