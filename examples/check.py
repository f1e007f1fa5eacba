import csv, json, sys

approved = {row['id']: row['amount'] for row in csv.DictReader(open(sys.argv[1]))}
for request in json.load(sys.stdin)['requests']:
    invoice, amount = request.get('externalId'), f"{request.get('value', 0):.2f}"
    if approved.get(invoice) != amount:
        sys.exit(f'{invoice} over {amount} is not approved')
