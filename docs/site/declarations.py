"""What a header declares: the directives of breathe that show it, in the header's own order.

breathe's doxygenfile would do, but for the namespace: it declares it once more for every header, of which Sphinx warns.
"""
import xml.etree.ElementTree as ElementTree

DIRECTIVES = {"function": "doxygenfunction", "enum": "doxygenenum", "typedef": "doxygentypedef", "variable": "doxygenvariable",
              "define": "doxygendefine", "class": "doxygenclass", "struct": "doxygenstruct"}


class Declarations:
    def __init__(self, xml):
        self.xml = xml
        self.of_header = {}  # header: [(line, directive)]
        for compound in ElementTree.parse(xml / "index.xml").getroot():
            if compound.get("kind") in ("namespace", "file", "class", "struct"):
                self.read(compound.get("refid"))

    def read(self, refid):
        compound = ElementTree.parse(self.xml / f"{refid}.xml").getroot().find("compounddef")
        name = compound.findtext("compoundname")
        if compound.get("kind") in ("class", "struct"):
            if name.count("::") == 1:  # those within a class are shown with it
                self.add(compound, f"```{{{DIRECTIVES[compound.get('kind')]}}} {name}\n:members:\n:undoc-members:\n```")
            return
        for member in compound.iterfind("sectiondef/memberdef"):
            qualified = member.findtext("qualifiedname") or member.findtext("name")
            arguments = member.findtext("argsstring") if member.get("kind") == "function" else ""
            self.add(member, f"```{{{DIRECTIVES[member.get('kind')]}}} {qualified}{arguments}\n```")

    def add(self, node, directive):
        location = node.find("location")
        self.of_header.setdefault(location.get("file"), []).append((int(location.get("line")), directive))

    def markdown(self, header):
        """Of a header, named as one includes it."""
        return "\n\n".join(directive for _, directive in sorted(self.of_header[header]))
