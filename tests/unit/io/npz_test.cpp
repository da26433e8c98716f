#include "io/npz.hpp"

#include <zlib.h>

#include "io_test.hpp"

namespace itomap::test {
namespace {

std::uint32_t crc_of(const std::string& data) {
  return static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size())));
}

std::string deflated(const std::string& data) {
  z_stream stream{};
  EXPECT_EQ(::deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(::deflateBound(&stream, data.size()), '\0');
  std::string input = data;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return packed;
}

struct Member {
  std::string name;
  std::string data;
  bool deflate = false;
  bool streamed = false;  // sizes in a descriptor behind the data
  bool zip64 = false;
  std::uint16_t method = 0;
  std::uint16_t flags = 0;
  std::uint32_t crc_change = 0;
  std::uint32_t size_change = 0;
};

// A zip writer of its own, so that reader and writer cannot share a mistake.
class ZipFile {
 public:
  ZipFile& add(const Member& member) {
    const std::string packed = member.deflate ? deflated(member.data) : member.data;
    const std::uint32_t crc = crc_of(member.data) ^ member.crc_change;
    const auto size = static_cast<std::uint32_t>(member.data.size()) + member.size_change;
    const auto packed_size = static_cast<std::uint32_t>(packed.size());
    const auto offset = static_cast<std::uint32_t>(body_.size());
    const auto method = static_cast<std::uint16_t>(member.deflate ? 8 : member.method);
    const auto flags = static_cast<std::uint16_t>(member.flags | (member.streamed ? 8 : 0));
    const std::uint32_t far = 0xFFFFFFFF;
    const std::string start = u16(45) + u16(flags) + u16(method) + u32(0);
    const std::string sizes = u32(crc) + u32(member.zip64 ? far : packed_size) + u32(member.zip64 ? far : size);
    const std::string extra = member.zip64 ? u16(1) + u16(24) + u64(size) + u64(packed_size) + u64(offset) : "";
    const std::string other = u16(0x5455) + u16(3) + "abc";  // an extra field of another kind comes first
    body_ += "PK\x03\x04" + start + (member.streamed ? u32(0) + u32(0) + u32(0) : sizes) + u16(member.name.size()) +
             u16(other.size()) + member.name + other + packed;
    if (member.streamed) {
      body_ += "PK\x07\x08" + sizes;
    }
    directory_ += "PK\x01\x02" + u16(45) + start + sizes + u16(member.name.size()) + u16((other + extra).size()) +
                  u16(4) + u16(0) + u16(0) + u32(0) + u32(member.zip64 ? far : offset) + member.name + other + extra +
                  "note";
    ++count_;
    return *this;
  }

  std::string bytes(const std::string& comment = "") const {
    return body_ + directory_ + end(u16(count_), u32(directory_.size()), u32(body_.size()), comment);
  }

  std::string bytes64(std::size_t count_change = 0, std::size_t size_change = 0) const {
    const std::string count = u64(count_ + count_change), size = u64(directory_.size() + size_change);
    const std::string end64 =
        "PK\x06\x06" + u64(44) + u16(45) + u16(45) + u32(0) + u32(0) + count + count + size + u64(body_.size());
    const std::string locator = "PK\x06\x07" + u32(0) + u64(body_.size() + directory_.size()) + u32(1);
    return body_ + directory_ + end64 + locator + end(u16(0xFFFF), u32(0xFFFFFFFF), u32(0xFFFFFFFF), "");
  }

 private:
  static std::string u16(std::size_t value) { return little(static_cast<std::uint16_t>(value)); }
  static std::string u32(std::size_t value) { return little(static_cast<std::uint32_t>(value)); }
  static std::string u64(std::size_t value) { return little(static_cast<std::uint64_t>(value)); }
  static std::string end(const std::string& count, const std::string& size, const std::string& offset,
                         const std::string& comment) {
    return "PK\x05\x06" + u16(0) + u16(0) + count + count + size + offset + u16(comment.size()) + comment;
  }

  std::string body_, directory_;
  std::size_t count_ = 0;
};

const std::string two = npy(npy_dictionary("(2,)"), doubles({4, 5}));
const std::string table = npy(npy_dictionary("(300, 2)"), doubles(Values(600, 0.5)));

Array parse_as_npz(const std::string& archive, const std::string& key = "") {
  return detail::parse_npz(shared_bytes(archive), key, key.empty() ? "a.npz" : "a.npz:" + key);
}
std::string npz_refusal(const std::string& archive, const std::string& key = "") {
  return error_of([&] { parse_as_npz(archive, key); });
}

class NpzTest : public IoTest {};

TEST_F(NpzTest, ReadsFromAFileByKey) {
  const std::string file = write("a.npz", ZipFile().add({"x.npy", two}).add({"y.npy", table, true}).bytes());
  EXPECT_EQ(values_of(read_array(file + ":x")), (Values{4, 5}));
  EXPECT_EQ(read_array(file + ":y").shape, (Shape{300, 2}));
  EXPECT_EQ(read_array(file + ":y").source, file + ":y");
}

TEST_F(NpzTest, KeysWithAndWithoutSuffix) {
  const std::string archive = ZipFile().add({"x.npy", two}).add({"bare", two}).bytes();
  EXPECT_EQ(values_of(parse_as_npz(archive, "x")), (Values{4, 5}));
  EXPECT_EQ(values_of(parse_as_npz(archive, "x.npy")), (Values{4, 5}));
  EXPECT_EQ(values_of(parse_as_npz(archive, "bare")), (Values{4, 5}));
}

TEST_F(NpzTest, TheOnlyArrayNeedsNoKey) {
  const Array array = parse_as_npz(ZipFile().add({"x.npy", two}).bytes());
  EXPECT_EQ(values_of(array), (Values{4, 5}));
  EXPECT_EQ(array.source, "a.npz:x");
}

TEST_F(NpzTest, EveryWayOfStoring) {
  for (const bool deflate : {false, true}) {
    for (const bool streamed : {false, true}) {
      for (const bool zip64 : {false, true}) {
        const ZipFile zip = ZipFile().add({"other.npy", two}).add({"x.npy", table, deflate, streamed, zip64});
        EXPECT_EQ(values_of(parse_as_npz(zip.bytes(), "x")), Values(600, 0.5)) << deflate << streamed << zip64;
        EXPECT_EQ(values_of(parse_as_npz(zip.bytes64(), "x")), Values(600, 0.5)) << deflate << streamed << zip64;
      }
    }
  }
}

TEST_F(NpzTest, CommentsAtTheEnd) {
  EXPECT_EQ(values_of(parse_as_npz(ZipFile().add({"x.npy", two}).bytes("made by PK\x05\x06 hand"))), (Values{4, 5}));
}

TEST_F(NpzTest, ListsKeysWhenThereAreSeveral) {
  const std::string archive = ZipFile().add({"x.npy", two}).add({"y.npy", two}).bytes();
  EXPECT_EQ(npz_refusal(archive), "a.npz: holds several arrays; add one of these keys, as in a.npz:x: 'x', 'y'");
  EXPECT_EQ(npz_refusal(archive, "z"), "a.npz:z: no such array; the archive has 'x', 'y'");
  EXPECT_EQ(npz_refusal(ZipFile().bytes()), "a.npz: holds no array; save it with numpy.savez");
  EXPECT_EQ(npz_refusal(ZipFile().bytes(), "x"), "a.npz:x: no such array; the archive has none");
}

TEST_F(NpzTest, RefusesWhatIsNotAnArchive) {
  EXPECT_EQ(npz_refusal("hello"),
            "a.npz: is not a whole .npz file (no zip directory at its end); copy or save it again");
  EXPECT_EQ(npz_refusal(""), "a.npz: is not a whole .npz file (no zip directory at its end); copy or save it again");
}

TEST_F(NpzTest, RefusesWrongChecksums) {
  for (const bool deflate : {false, true}) {
    EXPECT_EQ(npz_refusal(ZipFile().add({"x.npy", two, deflate, false, false, 0, 0, 1}).bytes()),
              "a.npz: damaged or truncated archive ('x.npy' has a wrong checksum); copy or save it again");
  }
}

TEST_F(NpzTest, RefusesEncryptedAndUnknownMethods) {
  const std::string expected = "a.npz: 'x.npy' is encrypted or packed by an unknown method; save it with numpy.savez";
  EXPECT_EQ(npz_refusal(ZipFile().add({"x.npy", two, false, false, false, 0, 1}).bytes()), expected);
  EXPECT_EQ(npz_refusal(ZipFile().add({"x.npy", two, false, false, false, 12}).bytes()), expected);
}

TEST_F(NpzTest, LyingSizesCostNoMemory) {
  EXPECT_EQ(npz_refusal(ZipFile().add({"x.npy", two, true, false, false, 0, 0, 0, 0x70000000}).bytes()),
            "a.npz: damaged or truncated archive ('x.npy' cannot be unpacked); copy or save it again");
  EXPECT_EQ(npz_refusal(ZipFile().add({"x.npy", two, true, false, false, 0, 0, 0, 1}).bytes()),
            "a.npz: damaged or truncated archive ('x.npy' cannot be unpacked); copy or save it again");
  EXPECT_EQ(npz_refusal(ZipFile().add({"x.npy", two, false, false, false, 0, 0, 0, 1}).bytes()),
            "a.npz: damaged or truncated archive ('x.npy' has two different sizes); copy or save it again");
}

TEST_F(NpzTest, LyingDirectoriesCostNoMemory) {
  const ZipFile zip = ZipFile().add({"x.npy", two});
  const std::size_t many = std::size_t{1} << 40;
  for (const std::string& archive : {zip.bytes64(many), zip.bytes64(0, many), zip.bytes64(many, 46 * many)}) {
    EXPECT_EQ(npz_refusal(archive).find("a.npz: damaged or truncated archive ("), 0) << npz_refusal(archive);
  }
}

TEST_F(NpzTest, RefusesEveryCutOfAnArchive) {
  const ZipFile zip = ZipFile().add({"x.npy", two, true}).add({"y.npy", two, false, true, true});
  for (const std::string& whole : {zip.bytes(), zip.bytes64()}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_NE(npz_refusal(whole.substr(0, size), "y"), "") << size;
      EXPECT_NE(npz_refusal(whole.substr(whole.size() - size), "x"), "") << size;
    }
  }
}

TEST_F(NpzTest, ErrorsOfTheArrayNameFileAndKey) {
  EXPECT_EQ(npz_refusal(ZipFile().add({"x.npy", npy(npy_dictionary("<i8", false, "(1,)"), "12345678")}).bytes()),
            "a.npz:x: holds int64 (dtype '<i8'), not float64 or float32; save array.astype(float) instead");
}

}  // namespace
}  // namespace itomap::test
