import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { setUp } from '../src/main/setup/setup.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'

/** What an operator answers who takes bitcoin with the node of compose.yaml. The account key is that of BIP 84. */
const ANSWERS = {
  BITCOIN_NETWORK: 'mainnet',
  PUBLIC_URL: 'https://lottery.example',
  CONSOLE_URL: 'https://console.lottery.example:8443',
  BITCOIN_XPUB:
    '[73c5da0a/84h/0h/0h]xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V',
  WITNESSES: 'none-i-know',
  SMTP_URL: 'smtps://user:password@mail.example',
}

/** Runs `operator setup --for compose` for a test. @returns the folder it wrote, as `deploy/private` */
export async function composeSetup(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fairball-private-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const answers = Object.entries(ANSWERS).flatMap(([name, value]) => [
    `--${name.toLowerCase().replaceAll('_', '-')}`,
    value,
  ])
  await setUp(['--for', 'compose', '--folder', folder, ...answers], {
    runtime: testRuntime(),
    ask: () => Promise.resolve(null),
    say: () => undefined,
    psql: () => undefined,
    doctor: () => undefined,
  })
  return folder
}
