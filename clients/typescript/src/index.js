export { Client } from './client.js';
export { fromCents, toCents } from './decimal.js';
export { MaquininhaError } from './errors.js';
