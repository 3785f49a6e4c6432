/** A file that the browser makes. */
interface MadeFile {
  /** Its name in the player's downloads. */
  name: string
  /** Its media type, such as `application/json`. */
  type: string
  content: BlobPart
}

/** Lets the browser save a file; the browser or its user chooses the place. */
export function saveFile({ name, type, content }: MadeFile): void {
  const address = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  URL.revokeObjectURL(address)
}
