import writeXlsxFile from 'write-excel-file/universal'
import type { Cell } from 'write-excel-file/universal'
import { SHEET_COLUMNS } from './draw-sheet.ts'
import type { DrawSheet } from './draw-sheet.ts'

/** The widths of the columns, in characters. */
const WIDTHS = [18, 13, 18, 16, 14, 40, 24] as const
const DATE_FORMAT = 'yyyy-mm-dd hh:mm'

/**
 * Writes a sheet as an Office Open XML workbook with that one sheet. Cells are typed: dates are dates, amounts numbers with their currency, and
 * texts are texts, never formulas.
 */
export async function workbookOf({ title, currencyCode, rows }: DrawSheet): Promise<Blob> {
  const money = (value: number | null): Cell =>
    value === null ? null : { value, type: Number, format: `#,##0.00 "${currencyCode}"` }
  const heads = SHEET_COLUMNS.map((value): Cell => ({ value, type: String, fontWeight: 'bold' }))
  const cells = rows.map((row): Cell[] => [
    { value: row.game, type: String },
    { value: row.drawNumber, type: Number, format: '0' },
    { value: row.date, type: Date, format: DATE_FORMAT },
    money(row.jackpot),
    money(row.donation),
    { value: row.partners, type: String },
    { value: row.numbers, type: String },
  ])
  return await writeXlsxFile([heads, ...cells], {
    sheet: title,
    columns: WIDTHS.map((width) => ({ width })),
    stickyRowsCount: 1,
  }).toBlob()
}
