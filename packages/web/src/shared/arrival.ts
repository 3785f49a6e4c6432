/** The address that this document was made for; undefined on the server. Inside the site the address changes and the document stays. */
export const arrivedAt: string | undefined = globalThis.location?.href
