// What npm's mjml says of itself.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('mjml');
export const { components } = require('mjml-core');
export const { dependencies } = require('mjml-validator');
