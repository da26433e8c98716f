#include "core/memory_limits.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>

namespace itomap {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// A system as it shows itself in its files.
class MemoryLimitsTest : public testing::Test {
 protected:
  MemoryLimitsTest() : root_(fs::temp_directory_path() / "itomap-memory-XXXXXX") {
    std::string pattern = root_.string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("no scratch directory");
    }
    root_ = pattern;
  }
  ~MemoryLimitsTest() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

  /// Version 2, as in most containers and on most machines of today.
  void unified(const std::string& group, const std::string& top = "/") const {
    write("proc/self/cgroup", "0::" + group + "\n");
    write("proc/self/mountinfo",
          "22 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw\n"
          "31 23 0:28 " +
              top + " /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
  }

  void unified_group(const std::string& group, const std::string& most, const std::string& used) const {
    write("sys/fs/cgroup" + group + "/memory.max", most + "\n");
    write("sys/fs/cgroup" + group + "/memory.current", used + "\n");
  }

  /// Version 1, each controller in a hierarchy of its own.
  void separate(const std::string& group, const std::string& top = "/") const {
    write("proc/self/cgroup", "5:devices:/\n4:memory:" + group + "\n1:cpu,cpuacct:/elsewhere\n0::/\n");
    write("proc/self/mountinfo",
          "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
          "35 31 0:32 " +
              top + " /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n");
  }

  void separate_group(const std::string& group, const std::string& most, const std::string& used) const {
    write("sys/fs/cgroup/memory" + group + "/memory.limit_in_bytes", most + "\n");
    write("sys/fs/cgroup/memory" + group + "/memory.usage_in_bytes", used + "\n");
  }

  MemoryAmount free() const { return ControlGroups(root_).free(); }

  fs::path root_;
};

TEST_F(MemoryLimitsTest, MachineSaysWhatIsAvailable) {
  EXPECT_EQ(free_in_machine(root_), std::nullopt);
  write("proc/meminfo",
        "MemTotal:       24689652 kB\nMemFree:        1 kB\nMemAvailable:   23068672 kB\nHugePages: 0\n");
  EXPECT_EQ(free_in_machine(root_), std::size_t(23068672) * 1024);
}

TEST_F(MemoryLimitsTest, EntriesOfTheProcess) {
  write("status", "Name:\titomap\nVmSize:\t   3060 kB\nVmHWM:\t    1788 kB\n");
  EXPECT_EQ(proc_entry(root_ / "status", "VmHWM:"), std::size_t(1788) * 1024);
  EXPECT_EQ(proc_entry(root_ / "status", "VmSwap:"), std::nullopt);
  EXPECT_EQ(proc_entry(root_ / "nowhere", "VmHWM:"), std::nullopt);
}

TEST_F(MemoryLimitsTest, WithoutControlGroupsThereIsNoLimit) { EXPECT_EQ(free(), std::nullopt); }

TEST_F(MemoryLimitsTest, UnifiedGroup) {
  unified("/job");
  EXPECT_EQ(free(), std::nullopt);
  unified_group("/job", "max", "300");
  EXPECT_EQ(free(), std::nullopt);
  unified_group("/job", "1000", "300");
  EXPECT_EQ(free(), 700U);
  unified_group("/job", "1000", "1001");
  EXPECT_EQ(free(), 0U);
}

TEST_F(MemoryLimitsTest, TheTightestOfTheGroupsAboveCounts) {
  unified("/slice/user/job");
  unified_group("/slice/user/job", "max", "300");
  unified_group("/slice/user", "9000", "1000");
  unified_group("/slice", "8000", "7500");
  EXPECT_EQ(free(), 500U);
  unified_group("", "max", "7500");
  EXPECT_EQ(free(), 500U);
  unified_group("", "7600", "7500");
  EXPECT_EQ(free(), 100U);
}

TEST_F(MemoryLimitsTest, WhereTheKernelBeginsToSlowDownIsALimitToo) {
  unified("/job");
  unified_group("/job", "1000", "300");
  write("sys/fs/cgroup/job/memory.high", "800\n");
  EXPECT_EQ(free(), 500U);
}

TEST_F(MemoryLimitsTest, PagesOfFilesAreGivenBack) {
  unified("/job");
  unified_group("/job", "1000", "900");
  write("sys/fs/cgroup/job/memory.stat", "anon 300\nfile 600\ninactive_file 550\nactive_file 50\n");
  EXPECT_EQ(free(), 650U);
  separate("/job");
  separate_group("/job", "1000", "900");
  write("sys/fs/cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 550\n");
  EXPECT_EQ(free(), 650U);
}

TEST_F(MemoryLimitsTest, SeparateHierarchies) {
  separate("/slurm/job_7/step_0");
  separate_group("", "9223372036854771712", "7500");
  separate_group("/slurm/job_7", "2000", "500");
  separate_group("/slurm/job_7/step_0", "9223372036854771712", "500");
  EXPECT_EQ(free(), 1500U);
}

// The host's path of the group, but a mount that shows the container's own only.
TEST_F(MemoryLimitsTest, ContainersThatKnowTheirOutsideName) {
  separate("/docker/4f2a", "/docker/4f2a");
  separate_group("", "2000", "500");
  EXPECT_EQ(free(), 1500U);
  separate("/docker/4f2a/below", "/docker/4f2a");
  separate_group("/below", "1000", "100");
  EXPECT_EQ(free(), 900U);
}

TEST_F(MemoryLimitsTest, GroupsOutsideOfWhatIsMounted) {
  unified("/../outside");
  unified_group("", "2000", "500");
  EXPECT_EQ(free(), 1500U);
  unified("/elsewhere", "/docker/4f2a");
  EXPECT_EQ(free(), 1500U);
}

TEST_F(MemoryLimitsTest, DamagedFilesAreNoLimit) {
  write("proc/self/cgroup", "nonsense\n:\n0:\n\n");
  write("proc/self/mountinfo", "1\n- -\n35 31 0:32 / /sys/fs/cgroup rw - cgroup2\n");
  EXPECT_EQ(free(), std::nullopt);
}

TEST_F(MemoryLimitsTest, ResourceLimits) {
  write("proc/self/status", "VmSize:\t1000 kB\nVmData:\t100 kB\n");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_DATA, &before), 0);
  if (before.rlim_cur != RLIM_INFINITY) {
    GTEST_SKIP() << "there is a limit already";
  }
  EXPECT_EQ(free_in_resource_limits(root_), std::nullopt);
  const std::size_t limit = std::size_t(1) << 45;  // far above what sanitizers reserve
  rlimit now = before;
  now.rlim_cur = limit;
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &now), 0);
  EXPECT_EQ(free_in_resource_limits(root_), limit - 100 * 1024);
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &before), 0);
}

TEST(LeastOf, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(least_of({std::nullopt, 3, 2, std::nullopt}), 2U);
  EXPECT_EQ(least_of({std::nullopt}), std::nullopt);
}

}  // namespace
}  // namespace itomap
