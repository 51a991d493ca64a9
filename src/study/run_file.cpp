// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "study/run_file.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "agents/simulation_file.h"
#include "juxta/core/try.h"

namespace juxta::study_detail {
namespace {

std::uint32_t word(std::size_t number) noexcept {
  return static_cast<std::uint32_t>(number);
}

void put_name(core_detail::FlatCatalogue& catalogue, std::string_view name) {
  catalogue.record(word(name.size()));
  catalogue.put(name.data(), name.size());
}

/// Of steps, then of agents.
std::vector<const Table*> tables_of(const Collector& collector) {
  std::vector<const Table*> tables = {&collector.steps()};
  for (std::size_t i = 0; i < collector.agent_tables(); ++i) {
    tables.push_back(&collector.agents(i));
  }
  return tables;
}

core_detail::FlatCatalogue catalogue_of(const Started& run, std::span<const Table* const> tables) {
  core_detail::FlatCatalogue catalogue;
  put_name(catalogue, run.info.name);
  for (const Parameter& parameter : run.parameters.declared()) {
    catalogue.record(ParameterRecord{parameter.value, word(parameter.name.size()), 0});
    catalogue.put(parameter.name.data(), parameter.name.size());
  }
  for (const Table* table : tables) {
    catalogue.record(TableRecord{table->rows(), word(table->names().size()), 0});
    for (const TableColumn& column : table->columns()) {
      catalogue.record(static_cast<std::uint32_t>(column.kind));
      put_name(catalogue, column.name);
    }
  }
  if (run.options.until) {
    put_name(catalogue, run.options.until->text());
  }
  return catalogue;
}

/// The sections of one column.
Result<void> put_column(const Table& table, std::size_t column, core_detail::FlatSink sink) {
  switch (table.kind(column)) {
    case CellKind::kNumber:
      return core_detail::put_section(std::as_bytes(table.column(column)), sink);
    case CellKind::kWhole:
      return core_detail::put_section(std::as_bytes(table.whole_column(column)), sink);
    case CellKind::kId:
      return core_detail::put_section(std::as_bytes(table.id_column(column)), sink);
    case CellKind::kText:
      break;
  }
  std::vector<std::uint64_t> ends;
  std::string all;
  for (const std::string& text : table.text_column(column)) {
    all += text;
    ends.push_back(all.size());
  }
  JUXTA_TRY(core_detail::put_section(std::as_bytes(std::span(ends)), sink));
  return core_detail::put_section(std::as_bytes(std::span(all)), sink);
}

class Reader {
 public:
  explicit Reader(std::span<const std::byte> file) noexcept : file_(file) {}

  Result<RunFile> read() {
    return read_header().and_then([&] { return read_catalogue(); }).and_then([&] { return read_sections(); });
  }

 private:
  Result<void> read_header() {
    JUXTA_TRY(kRunFormat.check_head(file_));
    std::memcpy(&header_, file_.data(), sizeof header_);
    const std::size_t rest = file_.size() - core_detail::kHeaderBytes;
    if (header_.catalogue > rest || header_.catalogue % 4 != 0 || header_.simulation > rest ||
        header_.simulation % core_detail::kSectionAlignment != 0 || header_.until > 1) {
      return kRunFormat.corrupt("the counts in the header make no sense", offsetof(RunFileHeader, catalogue));
    }
    return {};
  }

  Result<void> read_catalogue() {
    core_detail::FlatReader pieces(file_, core_detail::kHeaderBytes,
                                   core_detail::kHeaderBytes + header_.catalogue);
    const auto name = [&] {
      const auto bytes = pieces.record<std::uint32_t>();
      return std::string(pieces.text(bytes));
    };
    out_.model = name();
    out_.options.agents_every = header_.agents_every;
    out_.options.steps = header_.steps;
    for (std::uint32_t i = 0; i < header_.parameters && pieces.whole(); ++i) {
      const auto record = pieces.record<ParameterRecord>();
      out_.parameters.emplace_back(pieces.text(record.name_bytes), record.value);
    }
    bool columns = true;              // rows without columns would be as many as anyone says
    bool begun = header_.tables > 0;  // the start of a run is a row
    for (std::uint32_t i = 0; i < header_.tables && pieces.whole(); ++i) {
      const auto record = pieces.record<TableRecord>();
      std::vector<TableColumn> table;
      for (std::uint32_t c = 0; c < record.columns && pieces.whole(); ++c) {
        const auto kind = pieces.record<std::uint32_t>();
        columns = columns && kind <= static_cast<std::uint32_t>(CellKind::kId);
        table.push_back({name(), columns ? static_cast<CellKind>(kind) : CellKind::kNumber});
      }
      columns = columns && !table.empty();
      out_.tables.push_back(Table::of(std::move(table)));
      rows_.push_back(record.rows);
      begun = begun && rows_.front() > 0;
    }
    const std::string condition = header_.until != 0 && pieces.whole() ? name() : std::string();
    if (!pieces.whole() || !pieces.empty() || !columns || !begun) {
      return kRunFormat.corrupt("the catalogue is longer or shorter than it says", core_detail::kHeaderBytes);
    }
    if (header_.until != 0) {
      auto until = parse_until(condition);
      if (!until) {
        return kRunFormat.corrupt(until.error().message, core_detail::kHeaderBytes);
      }
      out_.options.until = std::move(*until);
    }
    return {};
  }

  Result<RunFile> read_sections() {
    const std::size_t begin = core_detail::padded_to_section(core_detail::kHeaderBytes + header_.catalogue);
    core_detail::FlatReader pieces(file_, std::min(begin, file_.size()), file_.size());
    std::vector<std::vector<ColumnBytes>> columns(out_.tables.size());
    for (std::size_t t = 0; t < columns.size(); ++t) {
      for (std::size_t c = 0; c < out_.tables[t].names().size(); ++c) {
        ColumnBytes& column = columns[t].emplace_back();
        column.values = pieces.section(rows_[t], sizeof(double));
        if (out_.tables[t].kind(c) == CellKind::kText && pieces.whole()) {
          if (!ends_ascend(column.values)) {
            return kRunFormat.corrupt("the texts of a table do not follow each other", begin);
          }
          column.text = pieces.section(last_end(column.values), 1);
        }
      }
    }
    out_.simulation = pieces.section(header_.simulation, 1);
    out_.simulation_at = file_.size() - header_.simulation;
    if (!pieces.whole() || !pieces.empty() || file_.size() % core_detail::kSectionAlignment != 0) {
      return kRunFormat.corrupt("the file is longer or shorter than its catalogue says", file_.size());
    }
    JUXTA_TRY(kRunFormat.check_whole(file_, file_.size()));
    for (std::size_t t = 0; t < columns.size(); ++t) {
      fill(out_.tables[t], columns[t], rows_[t]);
    }
    return std::move(out_);
  }

  /// The section of a column; of text, the end of each, and all of them one after the other.
  struct ColumnBytes {
    std::span<const std::byte> values, text;

    template <class T>
    [[nodiscard]] T at(std::size_t row) const noexcept {
      T value;
      std::memcpy(&value, values.data() + row * sizeof value, sizeof value);
      return value;
    }
    [[nodiscard]] Cell cell(CellKind kind, std::size_t row) const {
      switch (kind) {
        case CellKind::kWhole:
          return at<std::int64_t>(row);
        case CellKind::kId:
          return at<Id>(row);
        case CellKind::kText: {
          const std::uint64_t begin = row == 0 ? 0 : at<std::uint64_t>(row - 1);
          return std::string(reinterpret_cast<const char*>(text.data()) + begin,
                             at<std::uint64_t>(row) - begin);
        }
        case CellKind::kNumber:
          break;
      }
      return at<double>(row);
    }
  };

  static std::uint64_t last_end(std::span<const std::byte> ends) noexcept {
    return ends.empty() ? 0
                        : ColumnBytes{ends, {}}.at<std::uint64_t>(ends.size() / sizeof(std::uint64_t) - 1);
  }
  static bool ends_ascend(std::span<const std::byte> ends) noexcept {
    std::uint64_t before = 0;
    for (std::size_t row = 0; row < ends.size() / sizeof(std::uint64_t); ++row) {
      const auto end = ColumnBytes{ends, {}}.at<std::uint64_t>(row);
      if (end < before) {
        return false;
      }
      before = end;
    }
    return true;
  }

  static void fill(Table& table, std::span<const ColumnBytes> columns, std::size_t rows) {
    std::vector<Cell> row(columns.size());
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        row[c] = columns[c].cell(table.kind(c), r);
      }
      table.append(row);
    }
  }

  std::span<const std::byte> file_;
  RunFileHeader header_{};
  std::vector<std::uint64_t> rows_;  // of the tables
  RunFile out_;
};

}  // namespace

Result<RunFile> RunFile::read(std::span<const std::byte> file) {
  return Reader(file).read();
}

Result<void> save_run(const std::filesystem::path& path, const Started& run,
                      std::span<const std::byte> simulation) {
  const auto tables = tables_of(run.collector);
  const core_detail::FlatCatalogue catalogue = catalogue_of(run, tables);
  const agents_detail::SimulationImage image(run.simulation);
  RunFileHeader header{};
  header.magic = kRunFormat.magic;
  header.format = kRunFormat.version;
  header.byte_order = core_detail::kByteOrder;
  header.parameters = word(run.parameters.declared().size());
  header.tables = word(tables.size());
  header.agents_every = run.options.agents_every;
  header.steps = run.options.steps;
  header.until = run.options.until ? 1 : 0;
  header.catalogue = catalogue.bytes().size();
  header.simulation = simulation.empty() ? image.bytes() : simulation.size();
  std::array<std::byte, core_detail::kHeaderBytes> head{};
  std::memcpy(head.data(), &header, sizeof header);
  return kRunFormat.save(path, head, [&](core_detail::FlatSink sink) {
    Result<void> put = core_detail::put_section(catalogue.bytes(), sink);
    for (const Table* table : tables) {
      for (std::size_t c = 0; put && c < table->names().size(); ++c) {
        put = put_column(*table, c, sink);
      }
    }
    if (!put) {
      return put;
    }
    return simulation.empty() ? image.put(sink) : sink(simulation);
  });
}

}  // namespace juxta::study_detail
