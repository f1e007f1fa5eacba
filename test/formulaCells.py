"""Prints, as JSON, what a spreadsheet may take for a formula in files: in CSV, read with each of three separators, and in workbooks."""
import csv, json, re, sys, zipfile

TRIGGERS = set('=+-@\t\r\uff1d\uff0b\uff0d\uff20')
# What pixgate itself writes: numbers and times, pieces of them between commas, amounts, digits as text, formatted phone numbers, and a lone hyphen.
OWN = re.compile(r'^(-?\d+([.,]\d+)?|-R\$ [\d.]+,\d\d|="\+?[\d.,:/e-]+"|\+\d{2} \(\d{2}\) \d{4,5}-\d{4}|-)$', re.IGNORECASE)

found = []
csv.field_size_limit(10**9)


def is_formula(cell):
    start = cell.lstrip(' \u3000"\u00a0')
    return start[:1] in TRIGGERS and start != '' and not (OWN.match(cell) or OWN.match(cell.strip('"')))


def check_csv(path):
    with open(path, encoding='utf-8-sig', newline='') as file:
        text = file.read()
    for separator in ',;\t':
        # A reader of lines, as programs are that end a record at each line break outside quotes.
        for record in csv.reader(text.splitlines(keepends=True), delimiter=separator):
            found.extend([path, separator, cell] for cell in record if is_formula(cell))


def check_workbook(path):
    with zipfile.ZipFile(path) as archive:
        for part in archive.namelist():
            xml = archive.read(part).decode()
            found.extend([path, part, each] for each in re.findall(r'<(?:\w+:)?f[\s>/]', xml))
            found.extend([path, part, each] for each in re.findall(r'<c [^>]*>', xml) if not re.search(r't="inlineStr"|/>$', each) and 't=' in each)


for path in sys.argv[1:]:
    if path.endswith('.xlsx'):
        check_workbook(path)
    else:
        check_csv(path)
print(json.dumps(found))
