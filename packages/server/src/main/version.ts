/** The product's version, as the API's reference shows it. */
export const VERSION = '0.1.0'
