import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Seals short secrets at rest. `context` is bound in: a sealed value moved to another row does not open. */
export type SecretBox = {
  seal(text: string, context: string): Uint8Array<ArrayBuffer>;
  open(sealed: Uint8Array, context: string): string;
};

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM; layout nonce, tag, ciphertext. `key` holds 32 bytes. */
export function createSecretBox(key: Uint8Array): SecretBox {
  return {
    seal: (text, context) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Uint8Array.from(Buffer.concat([nonce, cipher.getAuthTag(), body]));
    },
    open: (sealed, context) => {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
    },
  };
}
