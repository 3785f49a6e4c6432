/** @returns the path of an absolute link, so that it opens under the name the browser knows this site by */
export function pageOf(link: string): string {
  if (!URL.canParse(link)) return link
  const { pathname, search } = new URL(link)
  return `${pathname}${search}`
}
