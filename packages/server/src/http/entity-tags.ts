/** @returns whether an `If-None-Match` names a tag (RFC 9110, section 13.1.2: the weak comparison) */
export function hasTag(header: string | undefined, etag: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//u, '')
  return header !== undefined && (header.trim() === '*' || header.split(',').some((tag) => bare(tag) === bare(etag)))
}
