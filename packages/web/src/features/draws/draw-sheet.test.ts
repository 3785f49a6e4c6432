import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { utcOffsetSeconds } from '@fairball/domain/time-zone'
import { describe, expect, it } from 'vitest'
import { csvOf, drawSheet, SHEET_COLUMNS } from './draw-sheet.ts'
import type { Draw } from './use-draws.ts'
import { workbookOf } from './write-workbook.ts'

const DRAWN_AT = Date.UTC(2026, 10, 20, 20, 0) / 1000
const pounds = (value: number) => ({
  crypto: { value: '0.01000000', code: 'BTC' as const },
  fiat: { GBP: { value, symbol: '£', position_of_symbol: 'LEFT' as const } },
})
const draws: Draw[] = [
  {
    id: 12,
    number: 7,
    datetime: DRAWN_AT,
    month_and_year: 'November 2026',
    numbers: [31, 4, 15],
    jackpot: pounds(1234.5),
    donation: pounds(61.73),
    partners: [
      { name: '=HYPERLINK("https://example.org")', url: 'https://example.org' },
      { name: 'Rivers, Lakes & Co', url: 'https://example.net' },
    ],
  },
  {
    id: 11,
    number: 6,
    datetime: DRAWN_AT - 86_400,
    month_and_year: 'November 2026',
    numbers: [2, 9, 30],
    jackpot: false,
    donation: false,
    partners: [],
  },
]
const sheet = drawSheet({
  gameName: 'Bitcoin Hero',
  draws,
  currencyCode: 'GBP',
  madeAt: DRAWN_AT + 1800,
  utcOffsetAt: () => 3600,
})

describe('the download of the draw history', () => {
  it('the download is named with the game name and a timestamp', () => {
    expect(sheet.title).toBe('Bitcoin Hero 2026-11-20 21.30')
  })

  it('the time of a November draw read in April is written by the clock of November', () => {
    const utcOffsetAt = (at: number): number => utcOffsetSeconds('Europe/London', at)
    const april = Date.UTC(2027, 3, 15, 12, 0) / 1000
    const { title, rows } = drawSheet({ ...INPUT, gameName: 'Hero', madeAt: april, utcOffsetAt })
    expect([title, rows[0]?.date.toISOString()]).toEqual(['Hero 2027-04-15 13.00', '2026-11-20T20:00:00.000Z'])
  })

  it.each(['A game: [with] a name/that is much too long', "'Tis a game", "['] '", 'Thirteen-long🎱'])(
    'the name of the sheet of %s is one that every spreadsheet program accepts',
    (gameName) => {
      const { title } = drawSheet({ ...INPUT, gameName })
      expect(title.length).toBeLessThanOrEqual(31)
      expect(title).not.toMatch(/[\\/?*[\]:]|^'|\p{Surrogate}/u)
      expect(title).toMatch(/(?:^| )2026-11-20 20\.30$/)
    },
  )

  it('the download has the columns Game, Draw number, Date, Jackpot, Donation, Partners, Numbers', () => {
    expect(SHEET_COLUMNS).toEqual(['Game', 'Draw number', 'Date', 'Jackpot', 'Donation', 'Partners', 'Numbers'])
  })

  it('the download leaves the amounts of a draw without a jackpot empty', () => {
    expect(sheet.rows[1]).toMatchObject({ jackpot: null, donation: null, partners: '', numbers: '2 9 30' })
  })

  it('the download is also available as comma-separated values, in which no text is a formula', () => {
    expect(csvOf(sheet).slice(1).split('\r\n')).toEqual([
      'Game,Draw number,Date,Jackpot,Donation,Partners,Numbers',
      `Bitcoin Hero,7,2026-11-20 21:00,1234.50,61.73,"'=HYPERLINK(""https://example.org""), Rivers, Lakes & Co",31 4 15`,
      'Bitcoin Hero,6,2026-11-19 21:00,,,,2 9 30',
      '',
    ])
  })
})

const INPUT = { draws, currencyCode: 'GBP', madeAt: DRAWN_AT + 1800, utcOffsetAt: () => 0 }

/** The path of LibreOffice, set by `npm test`; continuous integration has it. */
const office = process.env['SOFFICE'] ?? null

describe.skipIf(office === null && process.env['CI'] === undefined)('the workbook in LibreOffice', () => {
  it('the workbook has one sheet with dates as dates, amounts as numbers and no formula', async () => {
    const cells = await readInOffice(await workbookOf(sheet))
    expect(cells.sheets).toEqual([sheet.title])
    expect(cells.rows[0]?.map((cell) => cell.text).filter((text) => text !== '')).toEqual([...SHEET_COLUMNS])
    const [game, number, date, jackpot, donation, partners, numbers] = cells.rows[1] ?? []
    expect(game).toMatchObject({ type: 'string', text: 'Bitcoin Hero' })
    expect(number).toMatchObject({ type: 'float', value: '7' })
    expect(date).toMatchObject({ type: 'date', value: '2026-11-20T21:00:00' })
    expect(jackpot).toMatchObject({ type: 'float', value: '1234.5' })
    expect(donation).toMatchObject({ type: 'float', value: '61.73' })
    expect(partners).toMatchObject({ type: 'string', text: '=HYPERLINK("https://example.org"), Rivers, Lakes & Co' })
    expect(numbers).toMatchObject({ type: 'string', text: '31 4 15' })
    expect(cells.hasFormula).toBe(false)
  }, 120_000)
})

interface OfficeCell {
  type: string
  value: string
  text: string
}

/** Opens a workbook in LibreOffice, and reads its content back as flat OpenDocument XML. */
async function readInOffice(workbook: Blob): Promise<{ sheets: string[]; rows: OfficeCell[][]; hasFormula: boolean }> {
  if (office === null) throw new Error('LibreOffice is needed: set SOFFICE to its path.')
  const folder = mkdtempSync(join(tmpdir(), 'fairball-workbook-'))
  try {
    const file = join(folder, 'book.xlsx')
    writeFileSync(file, new Uint8Array(await workbook.arrayBuffer()))
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`
    execFileSync(office, [profile, '--headless', '--convert-to', 'fods', '--outdir', folder, file], { stdio: 'pipe' })
    return understood(readFileSync(join(folder, 'book.fods'), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function understood(xml: string) {
  const sheets = [...xml.matchAll(/<table:table table:name="([^"]*)"/g)].map(([, name = '']) => name)
  const rows = [...xml.matchAll(/<table:table-row[^>]*>(.*?)<\/table:table-row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].map(
      ([, attributes = '', content = '']) => ({
        type: /office:value-type="(\w+)"/.exec(attributes)?.[1] ?? '',
        value: /office:(?:date-)?value="([^"]*)"/.exec(attributes)?.[1] ?? '',
        text: unescaped(content.replaceAll(/<[^>]*>/g, '').trim()),
      }),
    ),
  )
  return { sheets, rows, hasFormula: xml.includes('table:formula=') }
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
