// What the person does at a step of a payment.
import { useOnce } from "../hooks.js";
import { post } from "../http.js";

const stepWithin = 1500; // the service's next step, after an act it took

// useAct sends acts to the prompt of that serial, one at a time. The step changes by the service's word alone, and
// when that does not come the buttons come back.
export function useAct(serial) {
  const { busy, once } = useOnce();
  const act = (body) => once(async () => {
    const { ok } = await post("/payment/act", { serial, ...body });
    if (ok) await new Promise((done) => setTimeout(done, stepWithin));
    return ok;
  });
  return { act, busy };
}
