"""Writes small valid files of each format for the fuzz targets to start from: make_seeds.py DIRECTORY."""

import io
import pathlib
import struct
import sys
import zipfile


def npy(descr, shape, data, order="False", version=1):
    header = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + data


def npz(members, method):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members.items():
            with archive.open(name, "w", force_zip64=True) as member:
                member.write(content)
    return file.getvalue()


VECTOR = npy("<f8", (2,), struct.pack("<2d", 1, 2))

SEEDS = {
    "npy": [
        VECTOR,
        npy("<f8", (), struct.pack("<d", 1)),
        npy(">f4", (2, 2), struct.pack(">4f", 1, 2, 3, 4), "True"),
        npy("<f4", (1, 2, 2), struct.pack("<4f", 1, 2, 3, 4), version=2),
        npy("<i8", (0, 3), b"", version=3),
    ],
    "npz": [
        npz({"x.npy": VECTOR}, zipfile.ZIP_STORED),
        npz({"x.npy": VECTOR, "y.npy": VECTOR}, zipfile.ZIP_DEFLATED),
        npz({}, zipfile.ZIP_STORED),
    ],
    "csv": [
        b"x,y\n1,2\n3.5,-4e5\n",
        b"\xef\xbb\xbf# comment\r\n1;nan\r\n\r\n+2;inf\r\n",
        b"1\t2\n3\t4",
        b" 1  2 # end\n3 4\n",
        b"1\n2\n",
    ],
}


def main(directory):
    for name, contents in SEEDS.items():
        folder = pathlib.Path(directory, name)
        folder.mkdir(parents=True, exist_ok=True)
        for number, content in enumerate(contents):
            (folder / f"seed-{number}").write_bytes(content)


if __name__ == "__main__":
    main(sys.argv[1])
