// Never run: what the declarations promise, the implementation must have, and the other way round.
import * as declared from '../src/index.js';
import { Client } from '../src/client.js';
import { fromCents, toCents } from '../src/decimal.js';
import { MaquininhaError } from '../src/errors.js';

const implementation = { Client, fromCents, toCents, MaquininhaError };
export const kept: typeof declared = implementation;

type Public = { [K in keyof declared.Client]: declared.Client[K] };
type Made = { [K in keyof Client]: Client[K] };
export const promised: Record<keyof Made, true> = {} as Record<keyof Public, true>;
