#pragma once

#include <pybind11/pybind11.h>

namespace itomap::python {

/// write_report and has_report.
void bind_report(pybind11::module_& module);

}  // namespace itomap::python
