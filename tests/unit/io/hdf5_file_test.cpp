#include "io/hdf5_file.hpp"

#include "io/hdf5_handle.hpp"
#include "io_test.hpp"

namespace itomap::test {
namespace {

using Lengths = std::vector<hsize_t>;
using detail::Hdf5Handle;

class Hdf5Test : public IoTest {
 protected:
  Hdf5Test() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

  std::string file() const { return path("a.h5"); }

  // A new file; it is complete when the handle is gone.
  Hdf5Handle create() const { return {H5Fcreate(file().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose}; }

  static void add(const Hdf5Handle& where, const char* name, hid_t type, const Lengths& lengths, const Values& values,
                  hid_t creation = H5P_DEFAULT) {
    const Hdf5Handle space(H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr), H5Sclose);
    const Hdf5Handle set(H5Dcreate2(where.get(), name, type, space.get(), H5P_DEFAULT, creation, H5P_DEFAULT),
                         H5Dclose);
    ASSERT_TRUE(set.valid());
    if (values.empty()) {
      return;
    }
    ASSERT_GE(H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  }

  std::string refusal(const std::string& suffix = "") const {
    return error_of([&] { read_array(file() + suffix); });
  }
};

TEST_F(Hdf5Test, RoundTrip) {
  add(create(), "points", H5T_IEEE_F64LE, {3, 2}, {1, 2, 3, 4, 5, 1.0 / 3});
  const Array array = read_array(file() + ":/points");
  EXPECT_EQ(array.shape, (Shape{3, 2}));
  EXPECT_EQ(values_of(array), (Values{1, 2, 3, 4, 5, 1.0 / 3}));
  EXPECT_EQ(array.source, file() + ":/points");
  EXPECT_EQ(values_of(read_array(file() + ":points")), values_of(array));
  EXPECT_EQ(values_of(read_array(file())), values_of(array));  // the only one
}

TEST_F(Hdf5Test, EveryFloatFormatAndRank) {
  const std::vector<hid_t> types = {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_IEEE_F32BE};
  const std::vector<Lengths> shapes = {{}, {1}, {1, 1}, {1, 1, 1}};
  for (const hid_t type : types) {
    for (const Lengths& lengths : shapes) {
      add(create(), "x", type, lengths, {0.75});
      EXPECT_EQ(read_array(file()).shape, Shape(lengths.begin(), lengths.end()));
      EXPECT_EQ(values_of(read_array(file())), Values{0.75});
    }
  }
}

TEST_F(Hdf5Test, ChunkedAndCompressed) {
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const Lengths chunk = {7, 1};
  H5Pset_chunk(creation.get(), 2, chunk.data());
  H5Pset_deflate(creation.get(), 6);
  Values values(200);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<double>(i * i);
  }
  add(create(), "x", H5T_IEEE_F64LE, {100, 2}, values, creation.get());
  EXPECT_EQ(values_of(read_array(file())), values);
}

TEST_F(Hdf5Test, EmptyDatasetsAreLegal) {
  add(create(), "x", H5T_IEEE_F64LE, {0, 3}, {});
  EXPECT_EQ(read_array(file()).shape, (Shape{0, 3}));
}

TEST_F(Hdf5Test, ListsDatasetsWhenThereAreSeveral) {
  {
    const Hdf5Handle root = create();
    const Hdf5Handle group(H5Gcreate2(root.get(), "run", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    add(root, "points", H5T_IEEE_F64LE, {1}, {1});
    add(group, "drift", H5T_IEEE_F64LE, {1}, {2});
  }
  EXPECT_EQ(values_of(read_array(file() + ":/run/drift")), Values{2});
  EXPECT_EQ(refusal(), file() + ": holds several datasets; add one of these paths, as in " + file() +
                           ":/points: '/points', '/run/drift'");
  EXPECT_EQ(refusal(":/nothing"), file() + ":/nothing: no such dataset; the file has '/points', '/run/drift'");
  EXPECT_EQ(refusal(":/run"), file() + ":/run: no such dataset; the file has '/points', '/run/drift'");
}

TEST_F(Hdf5Test, FilesWithoutDatasets) {
  create();
  EXPECT_EQ(refusal(), file() + ": holds no dataset; save one with h5py or any HDF5 tool");
  EXPECT_EQ(refusal(":/x"), file() + ":/x: no such dataset; the file has none");
}

TEST_F(Hdf5Test, RefusesOtherTypesByName) {
  const Hdf5Handle compound(H5Tcreate(H5T_COMPOUND, 16), H5Tclose);
  H5Tinsert(compound.get(), "r", 0, H5T_IEEE_F64LE);
  H5Tinsert(compound.get(), "i", 8, H5T_IEEE_F64LE);
  const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
  const std::vector<std::pair<hid_t, std::string>> types = {
      {H5T_STD_I32LE, "int32"},
      {H5T_STD_U8BE, "uint8"},
      {H5T_NATIVE_LDOUBLE, "float128"},
      {text.get(), "text"},
      {compound.get(), "compound values (complex numbers or records)"}};
  for (const auto& [type, name] : types) {
    add(create(), "x", type, {2}, {});
    EXPECT_EQ(refusal(), file() + ":/x: holds " + name + ", not float64 or float32; save it converted to float64");
  }
}

TEST_F(Hdf5Test, RefusesTooManyAxesAndNullSpaces) {
  add(create(), "x", H5T_IEEE_F64LE, {1, 1, 1, 1}, {1});
  EXPECT_EQ(refusal(), file() + ":/x: has 4 axes, at most 3 have a meaning; reshape it");
  {
    const Hdf5Handle root = create();
    const Hdf5Handle space(H5Screate(H5S_NULL), H5Sclose);
    const Hdf5Handle set(
        H5Dcreate2(root.get(), "x", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  }
  EXPECT_EQ(refusal(), file() + ":/x: is an empty dataset; save it with values");
}

TEST_F(Hdf5Test, LyingSizesCostNoMemory) {
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const Lengths chunk = {1};
  H5Pset_chunk(creation.get(), 1, chunk.data());
  add(create(), "x", H5T_IEEE_F64LE, {hsize_t{1} << 50}, {}, creation.get());
  EXPECT_EQ(refusal().find(file() + ":/x: takes 9.0 PB in memory, "), 0);
}

TEST_F(Hdf5Test, RefusesWhatIsNotHdf5) {
  write("a.h5", "not at all");
  EXPECT_EQ(refusal().find(file() + ": is not a whole HDF5 file ("), 0) << refusal();  // the library's reason follows
}

TEST_F(Hdf5Test, RefusesTruncatedFiles) {
  add(create(), "x", H5T_IEEE_F64LE, {1000}, Values(1000, 1.0));
  std::filesystem::resize_file(file(), std::filesystem::file_size(file()) / 2);
  EXPECT_EQ(refusal().find(file() + ": is not a whole HDF5 file (truncated file"), 0) << refusal();
}

// Values that lie in the header itself, and a shape that claims more of them: the library would read on behind them.
TEST_F(Hdf5Test, RefusesShapesThatClaimMoreThanThereIs) {
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_layout(creation.get(), H5D_COMPACT);
  add(create(), "x", H5T_IEEE_F32BE, {3, 2}, {1, 2, 3, 4, 5, 6}, creation.get());
  std::string content = slurp(file());
  const std::size_t shape = content.find(little(std::uint64_t{3}) + little(std::uint64_t{2}));
  ASSERT_NE(shape, std::string::npos);
  content[shape + 2] = 15;
  write("a.h5", content);
  EXPECT_EQ(refusal(), file() + ":/x: damaged: 7864344 bytes of data expected for 983043 x 2, 24 found; copy or save " +
                           "it again");
}

TEST_F(Hdf5Test, LeavesTheErrorReportOfItsCallerAsItWas) {
  const auto report = [](hid_t, void*) -> herr_t { return 0; };
  H5Eset_auto2(H5E_DEFAULT, report, nullptr);
  write("a.h5", "not at all");
  refusal();
  H5E_auto2_t found = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &found, &data);
  EXPECT_EQ(found, static_cast<H5E_auto2_t>(report));
}

}  // namespace
}  // namespace itomap::test
