import { describe, expect, it } from 'vitest'
import { pageCount, pageLinks, parsePage } from './pagination.ts'

const show = (page: number, total: number): string =>
  pageLinks(page, total)
    .map((link) => (link === 'ellipsis' ? '…' : String(link)))
    .join(' ')

describe('page links', () => {
  it.each([
    [1, 0, ''],
    [1, 1, '1'],
    [3, 6, '1 2 3 4 5 6'],
    [1, 7, '1 2 … 7'],
    [2, 7, '1 2 3 … 7'],
    [3, 7, '1 2 3 4 … 7'],
    [4, 7, '1 … 3 4 5 … 7'],
    [7, 7, '1 … 6 7'],
    [50, 100, '1 … 49 50 51 … 100'],
    [200, 100, '1 … 99 100'],
  ])('the links on page %d of %d are: %s', (page, total, links) => {
    expect(show(page, total)).toBe(links)
  })
})

describe('a page parameter', () => {
  it.each([
    [undefined, 1],
    [null, 1],
    ['1', 1],
    ['25', 25],
    ['', null],
    ['0', null],
    ['-1', null],
    ['+1', null],
    ['01', null],
    ['1.0', null],
    ['1e3', null],
    [' 1', null],
    ['1\n', null],
    ['two', null],
    ['9007199254740993', null],
  ])('the parameter %j is page %s', (text, page) => {
    expect(parsePage(text)).toBe(page)
  })

  it('a page has 10 rows', () => {
    expect([0, 1, 10, 11, 100].map(pageCount)).toEqual([0, 1, 1, 2, 10])
    expect(() => pageCount(-1)).toThrow(RangeError)
  })
})
