import { readFile } from 'node:fs/promises'
import { inflateRawSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { pressByKey } from './account.ts'

interface HistoryAnswer {
  results: { number: number; datetime: number; numbers: number[] }[]
  total_pages: number
}

/** A page of the finished draws of Bitcoin Hero, from the API. */
export async function history(page: Page, listPage = 1): Promise<HistoryAnswer> {
  return (await (await page.request.get(`/api/v1/games/bitcoin-hero/draws?_page=${listPage}`)).json()) as HistoryAnswer
}

/** The text of a file inside a zip: the directory at the end has its position (APPNOTE.TXT 4.3.12). */
function unzipped(zip: Buffer, name: string): string {
  for (
    let at = zip.indexOf('PK\u0001\u0002', 0, 'latin1');
    at >= 0;
    at = zip.indexOf('PK\u0001\u0002', at + 4, 'latin1')
  ) {
    const nameLength = zip.readUInt16LE(at + 28)
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) !== name) continue
    const header = zip.readUInt32LE(at + 42)
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
    const content = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    return (zip.readUInt16LE(at + 10) === 0 ? content : inflateRawSync(content)).toString('utf8')
  }
  throw new Error(`${name} is not in the file`)
}

/** Downloads the history of the open page as a workbook named after the game and the time, and as text. */
export async function checkDownloads(page: Page): Promise<void> {
  const workbook = page.waitForEvent('download')
  await pressByKey(page, page.getByRole('button', { name: 'CSV Excel workbook (.xlsx)' }))
  const file = await workbook
  expect(file.suggestedFilename()).toMatch(/^Bitcoin Hero \d{4}-\d\d-\d\d \d\d\.\d\d\.xlsx$/)
  const content = await readFile(await file.path())
  const title = file.suggestedFilename().replace('.xlsx', '')
  expect(unzipped(content, 'xl/workbook.xml')).toContain(`name="${title}"`)

  const text = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Plain text (.csv)' }).click()
  const rows = (await readFile(await (await text).path(), 'utf8')).trim().split('\r\n')
  expect(rows[0]).toMatch(/Game,Draw number,Date,Jackpot,Donation,Partners,Numbers$/)
  const { results, total_pages: pages } = await history(page)
  expect(rows.length - 1).toBe((pages - 1) * 10 + (await history(page, pages)).results.length)
  expect(rows[1]).toContain(`Bitcoin Hero,${results[0]?.number},`)
  expect(rows[1]).toContain(results[0]?.numbers.join(' '))
}
