// Asking the service about an answer, early, and giving it.

import { useOnce } from "../hooks.js";
import { useEffect, useState } from "../html.js";
import { post } from "../http.js";

const startOver = 3000; // when the service took the answer but its word does not come

// useAnswering holds what the service thinks of the answer as it is now.
//   reason   why it would not take it, null when it would or nobody knows
//   fine     it said that it would
//   busy     an answer is under way
//   ask()    resolves to whether it would take the answer, and shows why not
//   give()   gives it; what comes next the feed tells
//   cancel() takes the whole form away
export function useAnswering(shown, answer, { complete, wait }) {
  const { serial, index } = shown;
  const [verdict, setVerdict] = useState(null); // {of: answer, reason}
  const { busy, once } = useOnce();
  const judge = (of, reason) => setVerdict({ of, reason });
  const check = async (of) => {
    const { ok, status, data } = await post("/question/check", { serial, index, value: of });
    if (ok && data) judge(of, data.ok ? null : data.reason ?? "refused");
    return { ok: ok && data?.ok === true, status };
  };

  const known = verdict?.of === answer;
  useEffect(() => {
    if (!complete || known || busy) return undefined;
    const timer = setTimeout(() => check(answer), wait);
    return () => clearTimeout(timer);
  }, [answer, complete, known, busy]);

  // taken has further answers wait until the service shows what comes next.
  const taken = () => new Promise((resolve) => setTimeout(() => resolve(true), startOver));
  const failed = ({ status, data }, of = answer) => {
    if (status === 409) return; // the screen has moved on, and the feed says where
    judge(of, status === 422 ? data?.reason ?? "refused" : "offline");
  };

  return {
    reason: known ? verdict.reason : null,
    fine: known && verdict.reason === null,
    busy,
    complain: (reason) => judge(answer, reason),
    ask: (value = answer) => once(async () => {
      const { ok, status } = await check(value);
      if (!ok && status !== 200) failed({ status }, value);
      return ok;
    }),
    give: (value = answer) => once(async () => {
      const result = await post("/question/answer", { serial, index, value });
      if (result.ok) return taken();
      failed(result, value);
      return false;
    }),
    cancel: () => once(async () => {
      const result = await post("/question/cancel", { serial });
      if (result.ok) return taken();
      failed(result);
      return false;
    }),
  };
}
