import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { expectNoFaults } from './journeys.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGE = pathToFileURL(join(ROOT, 'packages/web/dist/client/fairness/fairball-verify.html')).href
const VECTORS = join(ROOT, 'packages/domain/vectors/fairness-v2')
const { default_trust: TRUST } = JSON.parse(readFileSync(join(VECTORS, 'index.json'), 'utf8')) as {
  default_trust: object
}

/** A bundle of the protocol for each outcome, and the groups that are marked as failed or broken. */
const BUNDLES = [
  ['honest', 'Proved: nobody chose these numbers', []],
  ['A1', 'Holds, but when it was sealed is not proved', []],
  ['B22', 'Not yet: the draw is not over', []],
  ['A11b', 'Failed: what the operator signed breaks the rules', ['plays.sold', 'receipt.leaf', 'promise.kept']],
  ['B16', 'It accuses nobody', ['log.member']],
] as const

test('the offline page, opened as a file without a connection, judges bundles and saves the evidence', async ({
  page,
}) => {
  await page.context().setOffline(true)
  await page.goto(PAGE)
  await page.getByLabel('A file of what you trust and saw').setInputFiles(fileOf('trust.json', JSON.stringify(TRUST)))
  for (const [id, verdict, marked] of BUNDLES) {
    await judge(page, fileOf(`${id}.json`, readFileSync(join(VECTORS, `bundle-${id}.json`), 'utf8')))
    await expect(page.locator('#verdict')).toContainText(verdict)
    const faults = page.locator('[data-check][data-status="fail"], [data-check][data-status="broken"]')
    const ids = await faults.evaluateAll((checks) => checks.map((check) => check.getAttribute('data-check') ?? ''))
    expect(ids.toSorted(), id).toEqual(marked.toSorted())
  }
  await expectNoFaults(page, 'the offline page, a changed bundle')

  await judge(page, join(VECTORS, 'bundle-A11.json'))
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Save the evidence' }).click()
  await judge(page, await (await saving).path())
  await expect(page.locator('#verdict')).toContainText('Failed')
  await expectNoFaults(page, 'the offline page, evidence')
  await page.context().setOffline(false)
})

interface ChosenFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

function fileOf(name: string, text: string): ChosenFile {
  return { name, mimeType: 'application/json', buffer: Buffer.from(text) }
}

async function judge(page: Page, file: ChosenFile | string): Promise<void> {
  await page.getByLabel('Bundle or evidence').setInputFiles(file)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.locator('#status')).toBeEmpty()
  await expect(page.locator('#verdict')).toBeFocused()
}
