// Processes that a communicator of Python connects, as ranks of the library.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <vector>

#include "itomap/core/error.hpp"
#include "itomap/core/ranks.hpp"

namespace itomap::python {

namespace py = pybind11;

/// Whatever `communicator` can: see itomap/_ranks.py. No MPI is needed to build this.
class CommunicatorRanks final : public Ranks {
 public:
  explicit CommunicatorRanks(py::object communicator)
      : communicator_(std::move(communicator)),
        rank_(communicator_.attr("rank").cast<int>()),
        size_(communicator_.attr("size").cast<int>()),
        on_this_machine_(communicator_.attr("on_this_machine").cast<int>()) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int on_this_machine() const override { return on_this_machine_; }

  void add(std::span<std::int64_t> numbers) const override { call("add", numbers); }
  void largest(std::span<double> numbers) const override { call("largest", numbers); }
  void broadcast(std::span<std::byte> bytes) const override {
    call("broadcast", std::span(reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()));
  }
  void share(std::span<double> numbers, std::span<const std::size_t> ends) const override {
    call("share", numbers, std::vector<std::size_t>(ends.begin(), ends.end()));
  }

 private:
  /// The numbers are not copied: the array lives as long as the call.
  template <class Number, class... More>
  void call(const char* name, std::span<Number> numbers, const More&... more) const {
    const py::gil_scoped_acquire lock;
    try {
      communicator_.attr(name)(py::array_t<Number>(py::ssize_t(numbers.size()), numbers.data(), py::none()), more...);
    } catch (const py::error_already_set& error) {
      throw Error(std::string("the processes cannot exchange data: ") + error.what());
    }
  }

  py::object communicator_;
  int rank_, size_, on_this_machine_;
};

}  // namespace itomap::python
