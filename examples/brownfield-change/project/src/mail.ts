export async function sendMail(to: string, subject: string, body: string): Promise<void> {
  console.log(to, subject, body);
}
