"""Writes workbooks as another program would: texts shared, some in pieces, cells without names, numbers as binary fractions, results of formulas."""
import json, math, sys, zipfile
from xml.sax.saxutils import escape, quoteattr

MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'


def column(place):
    return chr(65 + place)


class Book:
    def __init__(self, number, spec):
        self.number, self.spec = number, spec
        self.texts, self.formats = [], []
        # Every second workbook has prefixes, every third no names of cells.
        self.prefix = 'x:' if number % 2 else ''
        self.names = number % 3 != 0

    def tag(self, name):
        return self.prefix + name

    def style(self, cell):
        code = (cell.get('format') or 'General', bool(cell.get('struck')))
        if code not in self.formats:
            self.formats.append(code)
        return self.formats.index(code)

    def cell(self, row, place, cell):
        cell = {'text': cell} if isinstance(cell, str) else cell
        name = f' r="{column(place)}{row}"' if self.names else ''
        style = f' s="{self.style(cell)}"'
        if 'number' in cell:
            # The nearest fraction but one, as sums of a spreadsheet leave it.
            value = float(cell['number'])
            noisy = math.nextafter(value, math.inf) if '.' in cell['number'] and place % 2 else value
            formula = f'<{self.tag("f")}>SUM({noisy!r})</{self.tag("f")}>' if row % 4 == 0 else ''
            return f'<{self.tag("c")}{name}{style}>{formula}<{self.tag("v")}>{noisy!r}</{self.tag("v")}></{self.tag("c")}>'
        if cell['text'] == '' :
            return f'<{self.tag("c")}{name}/>' 
        self.texts.append(cell['text'])
        return f'<{self.tag("c")}{name}{style} t="s"><{self.tag("v")}>{len(self.texts) - 1}</{self.tag("v")}></{self.tag("c")}>'

    def sheet(self):
        spec = self.spec
        rows = []
        for row, cells in enumerate(spec['rows'], 1):
            hidden = ' hidden="true"' if row in spec['hiddenRows'] else ''
            xml = ''.join(self.cell(row, place, cell) for place, cell in enumerate(cells))
            rows.append(f'<{self.tag("row")} r="{row}"{hidden}>{xml}</{self.tag("row")}>')
        hidden = spec['hiddenColumn']
        columns = '' if hidden is None else f'<{self.tag("cols")}><{self.tag("col")} min="{hidden + 1}" max="{hidden + 1}" width="9" hidden="true"/></{self.tag("cols")}>'
        merged = ''.join(f'<{self.tag("mergeCell")} ref="{each}"/>' for each in spec['merged'])
        merges = f'<{self.tag("mergeCells")}>{merged}</{self.tag("mergeCells")}>' if merged else ''
        return self.whole('worksheet', f'{columns}<{self.tag("sheetData")}>{"".join(rows)}</{self.tag("sheetData")}>{merges}')

    def whole(self, name, content):
        declaration = f'xmlns{":x" if self.prefix else ""}="{MAIN}"'
        return f'<?xml version="1.0" encoding="UTF-8"?><{self.tag(name)} {declaration} xmlns:r="{DOCUMENT}">{content}</{self.tag(name)}>'

    def shared(self):
        def piece(text):
            t = self.tag('t')
            half = len(text) // 2
            pieces = [text] if self.number % 2 else [text[:half], text[half:]]
            runs = [f'<{t} xml:space="preserve">{escape(each)}</{t}>' for each in pieces]
            return runs[0] if len(runs) == 1 else ''.join(f'<{self.tag("r")}>{each}</{self.tag("r")}>' for each in runs)
        items = ''.join(f'<{self.tag("si")}>{piece(text)}</{self.tag("si")}>' for text in self.texts)
        return self.whole('sst', items)

    def styles(self):
        t = self.tag
        codes = ''.join(f'<{t("numFmt")} numFmtId="{164 + place}" formatCode={quoteattr(code)}/>' for place, (code, _) in enumerate(self.formats))
        fonts = f'<{t("font")}><{t("sz")} val="10"/></{t("font")}><{t("font")}><{t("strike")} val="1"/></{t("font")}>'
        styles = ''.join(f'<{t("xf")} numFmtId="{164 + place}" fontId="{int(struck)}" fillId="0" borderId="0" applyNumberFormat="1"/>' for place, (_, struck) in enumerate(self.formats))
        return self.whole('styleSheet', f'<{t("numFmts")}>{codes}</{t("numFmts")}><{t("fonts")}>{fonts}</{t("fonts")}><{t("fills")}><{t("fill")}/></{t("fills")}><{t("borders")}><{t("border")}/></{t("borders")}><{t("cellXfs")}>{styles}</{t("cellXfs")}>')

    def write(self, path):
        sheet = self.sheet()
        relation = lambda id, kind, target: f'<Relationship Id="{id}" Type="{DOCUMENT}/{kind}" Target="{target}"/>'
        relations = lambda *all: f'<Relationships xmlns="{PACKAGE}/relationships">{"".join(all)}</Relationships>'
        part = lambda name, kind: f'<Override PartName="/{name}" ContentType="{TYPE}.{kind}+xml"/>'
        book = self.whole('workbook', f'<{self.tag("sheets")}><{self.tag("sheet")} name="Folha" sheetId="1" r:id="s1"/></{self.tag("sheets")}>')
        with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as archive:
            archive.comment = b'novembro' if self.number % 5 == 0 else b''
            archive.writestr('[Content_Types].xml', f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{part("dados/livro.xml", "sheet.main")}{part("dados/folha.xml", "worksheet")}{part("dados/textos.xml", "sharedStrings")}{part("dados/estilos.xml", "styles")}</Types>')
            archive.writestr('_rels/.rels', relations(relation('b', 'officeDocument', 'dados/livro.xml')))
            archive.writestr('dados/livro.xml', book)
            archive.writestr('dados/_rels/livro.xml.rels', relations(relation('s1', 'worksheet', 'folha.xml'), relation('t', 'sharedStrings', '/dados/textos.xml'), relation('e', 'styles', 'estilos.xml')))
            archive.writestr('dados/folha.xml', sheet)
            archive.writestr('dados/textos.xml', self.shared())
            archive.writestr('dados/estilos.xml', self.styles())


for number, spec in enumerate(json.load(sys.stdin)):
    Book(number, spec).write(spec['path'])
