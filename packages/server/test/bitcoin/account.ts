import { HDKey } from '@scure/bip32'

/** The version bytes of extended keys on the test networks. */
export const TEST_VERSIONS = { private: 0x04358394, public: 0x043587cf }

/** An operator's account key on the test networks, as in `BITCOIN_XPUB`. @param seed 16 to 64 bytes */
export function testAccount(seed: Uint8Array, path = "m/84'/1'/0'"): string {
  const root = HDKey.fromMasterSeed(seed, TEST_VERSIONS)
  const fingerprint = root.fingerprint.toString(16).padStart(8, '0')
  return `[${fingerprint}${path.slice(1).replaceAll("'", 'h')}]${root.derive(path).publicExtendedKey}`
}
