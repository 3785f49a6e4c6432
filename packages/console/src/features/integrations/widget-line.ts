/** The line of HTML that shows a game's widget on another site. */
export function widgetLine(site: string, { key, name }: { readonly key: string; readonly name: string }): string {
  return `<iframe src="${escaped(`${site}/embed/${key}`)}" title="${escaped(name)}" width="300" height="250" style="border: 0"></iframe>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
