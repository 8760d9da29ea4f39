import { describeSandbox } from './testing/contract-suite.ts';
import { openLocal } from './testing/local-sandbox.ts';

describeSandbox({ name: 'agent over stdio', open: () => openLocal('agent'), processes: true });
describeSandbox({ name: 'simulated', open: () => openLocal('simulated'), processes: false });
