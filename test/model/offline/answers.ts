/** Answers as people give them: concrete ones that have to count, for ideas they fit, in each language. */

export const pipeline =
  "Build an intake pipeline that ingests CSVs, normalizes records, provides a detailed reviewer UI with inline comments and approvals, and exports audit-ready reports";

/** One answer in full for every pair of the pipeline. */
export const pipelineAnswers: Readonly<Record<string, string>> = {
  "ingestion/goal":
    "An operations clerk drops a CSV into a watched folder, and within one minute the clerk sees how many rows were stored and which were refused.",
  "ingestion/constraints":
    "A file may hold at most 50 MB and 200,000 rows in UTF-8; anything larger is refused whole, and the original file is never changed.",
  "ingestion/criteria":
    "When a clerk drops a CSV with 1,000 rows of which 3 are broken, 997 are stored and 3 are listed with line number and reason.",
  "normalization/goal":
    "Every stored row becomes one record with ISO dates, amounts in cents and trimmed names, and the reviewer sees the source value beside the new one.",
  "normalization/constraints":
    "It must never guess: a value it cannot read stays as it came and is flagged, and only the 14 agreed columns are touched.",
  "normalization/criteria":
    "Running it twice over the same 500 sample records changes nothing, and totals per currency match the input to the cent.",
  "review-ui/goal":
    "A reviewer opens the oldest flagged record, reads the inline comments, and approves it or sends it back with a reason, after which the next one opens.",
  "review-ui/constraints":
    "Only the two named reviewers may approve, nobody approves a record they edited themselves, and a decision cannot be undone after 24 hours.",
  "review-ui/criteria":
    "A new reviewer decides ten records unaided in under 15 minutes, and at the end of the day no record shows as exported without a decision.",
  "export/goal":
    "On the first working day of each month the auditor downloads one PDF per client that lists every approved record with the reviewer's name and date.",
  "export/constraints":
    "A report must not contain unapproved records, has to be stored for seven years, and may never be edited after it is made.",
  "export/criteria":
    "An auditor compares the PDF with 200 approved records line by line and finds zero differences; the page total equals the sum of amounts.",
};

/** More of them, each with the dimension that it answers. */
export const english: readonly (readonly [string, string])[] = [
  ["goal", "The warehouse team scans a pallet, and the app shows on which shelf it goes and prints the label."],
  ["goal", "When a customer cancels an order before 6 pm, the stock goes back at once and the customer gets an email with the refund amount."],
  ["goal", "Our nurses enter the shift swap on their phone, the ward manager approves it, and the roster is updated the same evening."],
  ["goal", "First the teacher uploads the list of students, then the system creates one group per class, and finally every parent receives an invitation."],
  ["goal", "It replaces the spreadsheet that Maria keeps by hand: she opens the page on Monday and sees which invoices are overdue by more than 30 days."],
  ["goal", "A visitor searches for a recipe by two ingredients and gets the five that use most of what is already at home."],
  ["goal", "The build server pushes a new version to staging after every merge, and the release manager promotes it to production with one click."],
  ["goal", "Reviewers work through the queue from the oldest record to the newest and leave a reason each time they send something back."],
  ["constraints", "We must not store card numbers; Stripe handles them, and we only keep the last four digits."],
  ["constraints", "It has to run on the two laptops in the shop, without internet, and start in less than ten seconds."],
  ["constraints", "No more than 20 requests per minute per customer, and requests above that limit get a 429 with a retry time."],
  ["constraints", "Personal data never leaves the EU, logs are deleted after 90 days, and support staff only see masked addresses."],
  ["constraints", "The budget is 5,000 euros until the end of March, so there is no native app and no second language in the first version."],
  ["constraints", "Files over 2 GB are out of scope. Uploads of up to 2 GB must survive a lost connection and resume where they stopped."],
  ["constraints", "Only managers can change prices, a change is valid from the next morning, and it can never be backdated."],
  ["constraints", "We use Postgres 15 because the rest of the company does, and we may not add another database server."],
  ["criteria", "A search over 100,000 recipes answers within 300 ms for 95% of the queries, measured on the production machine."],
  ["criteria", "If a driver loses the connection for ten minutes, every scan made in that time appears on the server within one minute after reconnecting."],
  ["criteria", "Ten people from sales complete an order without help, and nobody needs more than three minutes."],
  ["criteria", "The sum of all payouts in the report equals the bank statement of that month, to the cent, for each of the last twelve months."],
  ["criteria", "A test user without the admin role gets a 403 on every admin page, and the attempt shows up in the audit log."],
  ["criteria", "When the same file is uploaded twice, the second upload is refused and the message names the date of the first one."],
  ["criteria", "After one month at most 2 of 100 tickets are routed to the wrong team, counted from the tickets that were moved by hand."],
  ["criteria", "It works when the morning report is in the inbox of all four managers by 7:30 on 20 working days in a row."],
];
