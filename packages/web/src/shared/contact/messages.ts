/** The words of the contact form. Sentences of the specification stand as it has them. */
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
