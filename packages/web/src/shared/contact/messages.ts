/** The words of the contact form. Sentences of the specification are unchanged. */
export const FORM_TEXTS = {
  name: 'Name',
  email: 'Email',
  country: 'Country',
  countryPlaceholder: 'Choose your country',
  message: 'Message',
  send: 'Send message',
  sent: "Message has been sent. We'll contact you within 24 hours!",
  loadFailed: 'Contact form cannot be loaded.',
} as const
