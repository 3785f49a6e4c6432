import { pageLinks } from '@fairball/domain/pagination'
import { Pagination } from '@fairball/ui/pagination.tsx'

/** Links to the pages of a settings list. */
export function ListPages({
  page,
  totalPages,
  hrefOf,
  label,
}: {
  page: number
  totalPages: number
  hrefOf: (page: number) => string
  label: string
}) {
  return (
    <Pagination page={page} totalPages={totalPages} items={pageLinks(page, totalPages)} hrefOf={hrefOf} label={label} />
  )
}
