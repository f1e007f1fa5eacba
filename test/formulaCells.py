"""Prints, as JSON, the cells of CSV files that a spreadsheet may take for a formula, read with each of three separators."""
import csv, json, re, sys

TRIGGERS = set('=+-@\t\r\uff1d\uff0b\uff0d\uff20')
# What pixgate itself writes: numbers and times, pieces of them between commas, digits as text, formatted phone numbers, and a lone hyphen.
OWN = re.compile(r'^(-?\d+([.,]\d+)?|="\+?[\d.,:/e-]+"|\+\d{2} \(\d{2}\) \d{4,5}-\d{4}|-)$', re.IGNORECASE)

found = []
csv.field_size_limit(10**9)
for path in sys.argv[1:]:
    with open(path, encoding='utf-8-sig', newline='') as file:
        text = file.read()
    for separator in ',;\t':
        # A reader of lines, as programs are that end a record at each line break outside quotes.
        for record in csv.reader(text.splitlines(keepends=True), delimiter=separator):
            for cell in record:
                start = cell.lstrip(' \u3000"\u00a0')
                if start[:1] in TRIGGERS and start and not (OWN.match(cell) or OWN.match(cell.strip('"'))):
                    found.append([path, separator, cell])
print(json.dumps(found))
