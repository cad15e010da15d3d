/*
 * odim for C++17: the handles of odim.h as classes that free what they own, and errors as exceptions.
 *
 *     odim::table rows = odim::table::read("data.csv");
 *     odim::detection found = odim::detect(rows);
 *     for (std::size_t i = 0; i < found.scores.size(); i++)
 *         if (found.scores[i] > found.model.threshold()) std::cout << "row " << i << " is an outlier\n";
 *
 * It is a thin layer: odim.h is the manual. Classes can be moved, not copied. get() gives the handle for the calls that
 * have no method here; check() turns the status of such a call into an exception. Memory that runs out is
 * std::bad_alloc, everything else an odim::error. A progress function that returns false ends the call with an
 * odim::cancelled; an exception that it throws comes out of the call.
 */
#ifndef ODIM_HPP
#define ODIM_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "odim.h"

namespace odim {

/* ---- errors --------------------------------------------------------------------------------------- */

class error : public std::runtime_error {
  public:
    explicit error(const odim_error &e) : std::runtime_error(e.msg), details(e) {}
    odim_status status() const noexcept { return details.status; }
    std::int64_t row() const noexcept { return details.row; } /* from 0; -1: none */
    std::int64_t col() const noexcept { return details.col; }

  private:
    odim_error details;
};

class cancelled : public error {
  public:
    using error::error;
};

/* Throws unless the call succeeded. */
inline void check(odim_status status, const odim_error &e)
{
    if (status == ODIM_OK) return;
    if (status == ODIM_ERR_NOMEM) throw std::bad_alloc();
    if (status == ODIM_ERR_CANCELLED) throw cancelled(e);
    throw error(e);
}

namespace detail {

template <auto Free> struct freer {
    template <typename T> void operator()(T *p) const noexcept { Free(p); }
};
template <typename T, auto Free> using handle = std::unique_ptr<T, freer<Free>>;

/* Calls f(&err) and throws if it fails. */
template <typename F> void run(F f)
{
    odim_error err;
    err.msg[0] = '\0';
    check(f(&err), err);
}

} // namespace detail

/* ---- progress and notes --------------------------------------------------------------------------- */

struct hooks {
    std::function<bool(const odim_progress &)> progress; /* false: stop */
    std::function<void(std::string_view)> note;
};

namespace detail {

/* C must not see an exception: it is kept until the call has returned. */
class hook_calls {
  public:
    explicit hook_calls(const hooks &h) : own(h)
    {
        c.user = this;
        if (own.progress) c.progress = on_progress;
        if (own.note) c.note = on_note;
    }
    const odim_hooks *get() const noexcept { return &c; }
    void rethrow() const
    {
        if (thrown) std::rethrow_exception(thrown);
    }

  private:
    static int on_progress(const odim_progress *now, void *user)
    {
        auto *self = static_cast<hook_calls *>(user);
        try {
            return self->thrown || !self->own.progress(*now);
        } catch (...) {
            self->thrown = std::current_exception();
            return 1;
        }
    }
    static void on_note(const char *text, void *user)
    {
        auto *self = static_cast<hook_calls *>(user);
        try {
            if (!self->thrown) self->own.note(text);
        } catch (...) {
            self->thrown = std::current_exception();
        }
    }
    const hooks &own;
    odim_hooks c = ODIM_HOOKS_INIT;
    std::exception_ptr thrown;
};

/* Calls f(hooks, &err). */
template <typename F> void run_hooked(const hooks &h, F f)
{
    hook_calls calls(h);
    odim_error err;
    err.msg[0] = '\0';
    odim_status status = f(calls.get(), &err);
    calls.rethrow();
    check(status, err);
}

} // namespace detail

/* ---- parameters ----------------------------------------------------------------------------------- */

/* odim::params p{{"preset", "fast"}, {"threads", "2"}}; */
class params {
  public:
    params() : own(odim_params_new())
    {
        if (!own) throw std::bad_alloc();
    }
    params(std::initializer_list<std::pair<const char *, const char *>> values) : params()
    {
        for (const auto &v : values) set(v.first, v.second);
    }
    params &set(const char *name, const std::string &value)
    {
        detail::run([&](odim_error *e) { return odim_params_set(own.get(), name, value.c_str(), e); });
        return *this;
    }
    std::string get(const char *name) const
    {
        const char *value = odim_params_get(own.get(), name);
        return value ? value : "";
    }
    const odim_params *get() const noexcept { return own.get(); }

  private:
    detail::handle<odim_params, odim_params_free> own;
};

/* ---- tables --------------------------------------------------------------------------------------- */

class table {
  public:
    explicit table(odim_table *take) noexcept : own(take) {}

    static table read(const std::string &path, const odim_read_options *options = nullptr)
    {
        odim_table *t = nullptr;
        detail::run([&](odim_error *e) { return odim_table_read(&t, path.c_str(), options, e); });
        return table(t);
    }
    static table read_memory(std::string_view bytes, const odim_read_options *options = nullptr)
    {
        odim_table *t = nullptr;
        detail::run(
            [&](odim_error *e) { return odim_table_read_memory(&t, bytes.data(), bytes.size(), nullptr, options, e); });
        return table(t);
    }
    /* The array is not copied: keep it unchanged. stride 0: cols. */
    static table wrap(const float *x, std::int64_t rows, std::int64_t cols, std::int64_t stride = 0,
                      const char *const *names = nullptr)
    {
        odim_table *t = nullptr;
        detail::run([&](odim_error *e) { return odim_table_wrap_f32(&t, x, rows, cols, stride, names, e); });
        return table(t);
    }
    static table wrap(const double *x, std::int64_t rows, std::int64_t cols, std::int64_t stride = 0,
                      const char *const *names = nullptr)
    {
        odim_table *t = nullptr;
        detail::run([&](odim_error *e) { return odim_table_wrap_f64(&t, x, rows, cols, stride, names, e); });
        return table(t);
    }

    std::int64_t rows() const noexcept { return odim_table_rows(get()); }
    std::int64_t cols() const noexcept { return odim_table_cols(get()); }
    std::string name(std::int64_t col) const
    {
        const char *text = odim_table_name(get(), col);
        return text ? text : "";
    }
    double value(std::int64_t row, std::int64_t col) const noexcept { return odim_table_value(get(), row, col); }
    const odim_table *get() const noexcept { return own.get(); }
    odim_table *get() noexcept { return own.get(); }

  private:
    detail::handle<odim_table, odim_table_free> own;
};

/* ---- models --------------------------------------------------------------------------------------- */

class model {
  public:
    explicit model(odim_model *take) noexcept : own(take) {}

    static model load(const std::string &path)
    {
        odim_model *m = nullptr;
        detail::run([&](odim_error *e) { return odim_model_load(&m, path.c_str(), e); });
        return model(m);
    }
    static model from_bytes(std::string_view bytes)
    {
        odim_model *m = nullptr;
        detail::run([&](odim_error *e) { return odim_model_load_memory(&m, bytes.data(), bytes.size(), e); });
        return model(m);
    }
    void save(const std::string &path) const
    {
        detail::run([&](odim_error *e) { return odim_model_save(get(), path.c_str(), e); });
    }
    std::string to_bytes() const
    {
        void *bytes = nullptr;
        std::size_t size = 0;
        detail::run([&](odim_error *e) { return odim_model_save_memory(get(), &bytes, &size, e); });
        detail::handle<void, odim_free> mine(bytes);
        return std::string(static_cast<const char *>(bytes), size);
    }

    std::vector<double> score(const table &rows, const params *p = nullptr, const hooks &h = {}) const
    {
        std::vector<double> scores(static_cast<std::size_t>(rows.rows()));
        detail::run_hooked(h, [&](const odim_hooks *c, odim_error *e) {
            return odim_score(get(), rows.get(), p ? p->get() : nullptr, c, scores.data(), e);
        });
        return scores;
    }

    std::int64_t cols() const noexcept { return odim_model_cols(get()); }
    double threshold() const noexcept { return odim_model_threshold(get()); }
    double unusual() const noexcept { return odim_model_unusual(get()); }
    double probability(double score) const noexcept { return odim_model_probability(get(), score); }
    /* The value of a cell that comes as text, for odim::scorer. */
    double value(std::int64_t col, const std::string &text) const
    {
        double out = 0.0;
        detail::run([&](odim_error *e) { return odim_model_value(get(), col, text.c_str(), &out, e); });
        return out;
    }
    const odim_model *get() const noexcept { return own.get(); }

  private:
    detail::handle<odim_model, odim_model_free> own;
};

inline model fit(const table &rows, const params *p = nullptr, const hooks &h = {})
{
    odim_model *m = nullptr;
    detail::run_hooked(h, [&](const odim_hooks *c, odim_error *e) {
        return odim_fit(rows.get(), p ? p->get() : nullptr, c, &m, e);
    });
    return model(m);
}

struct detection {
    odim::model model;
    std::vector<double> scores;
};

inline detection detect(const table &rows, const params *p = nullptr, const hooks &h = {})
{
    std::vector<double> scores(static_cast<std::size_t>(rows.rows()));
    odim_model *m = nullptr;
    detail::run_hooked(h, [&](const odim_hooks *c, odim_error *e) {
        return odim_detect(rows.get(), p ? p->get() : nullptr, c, &m, scores.data(), e);
    });
    return {model(m), std::move(scores)};
}

/* ---- single rows ---------------------------------------------------------------------------------- */

/* For one thread. The model must outlive it. */
class scorer {
  public:
    explicit scorer(const model &m) : cols(m.cols())
    {
        odim_scorer *s = nullptr;
        detail::run([&](odim_error *e) { return odim_scorer_new(&s, m.get(), e); });
        own.reset(s);
    }
    /* The score of one row, which has a value for each column of the model. */
    double operator()(const double *values)
    {
        double score = 0.0;
        score_rows(values, 1, &score);
        return score;
    }
    double operator()(const std::vector<double> &values)
    {
        if (static_cast<std::int64_t>(values.size()) != cols)
            throw std::invalid_argument("a row must have a value for each column of the model");
        return (*this)(values.data());
    }
    /* scores (rows) of values (rows, columns of the model); stride 0: the rows lie next to each other. */
    void score_rows(const double *values, std::int64_t rows, double *scores, std::int64_t stride = 0)
    {
        detail::run([&](odim_error *e) { return odim_scorer_score(get(), values, rows, stride, scores, nullptr, e); });
    }
    odim_scorer *get() noexcept { return own.get(); }

  private:
    detail::handle<odim_scorer, odim_scorer_free> own;
    std::int64_t cols;
};

/* ---- fits in parts -------------------------------------------------------------------------------- */

class partial {
  public:
    explicit partial(const params *p = nullptr)
    {
        odim_partial *part = nullptr;
        detail::run([&](odim_error *e) { return odim_partial_new(&part, p ? p->get() : nullptr, e); });
        own.reset(part);
    }
    static partial from_bytes(std::string_view bytes)
    {
        odim_partial *part = nullptr;
        detail::run([&](odim_error *e) { return odim_partial_load_memory(&part, bytes.data(), bytes.size(), e); });
        return partial(part);
    }
    std::string to_bytes() const
    {
        void *bytes = nullptr;
        std::size_t size = 0;
        detail::run([&](odim_error *e) { return odim_partial_save_memory(get(), &bytes, &size, e); });
        detail::handle<void, odim_free> mine(bytes);
        return std::string(static_cast<const char *>(bytes), size);
    }
    void add(const table &rows, std::int64_t first)
    {
        detail::run([&](odim_error *e) { return odim_partial_add(own.get(), rows.get(), first, e); });
    }
    void merge(const partial &other)
    {
        detail::run([&](odim_error *e) { return odim_partial_merge(own.get(), other.get(), e); });
    }
    model fit(const params *p = nullptr, const hooks &h = {}) const
    {
        odim_model *m = nullptr;
        detail::run_hooked(h, [&](const odim_hooks *c, odim_error *e) {
            return odim_partial_fit(get(), p ? p->get() : nullptr, c, &m, e);
        });
        return model(m);
    }
    std::int64_t rows() const noexcept { return odim_partial_rows(get()); }
    const odim_partial *get() const noexcept { return own.get(); }

  private:
    explicit partial(odim_partial *take) noexcept : own(take) {}
    detail::handle<odim_partial, odim_partial_free> own;
};

/* ---- reasons -------------------------------------------------------------------------------------- */

/* For each of the rows its reasons as text, the most important first. rows empty: all of the table. */
inline std::vector<std::vector<std::string>> explain(const model &m, const table &t,
                                                     const std::vector<std::int64_t> &rows = {}, int top = 3,
                                                     const hooks &h = {})
{
    odim_explain_options options = ODIM_EXPLAIN_OPTIONS_INIT;
    options.rows = rows.empty() ? nullptr : rows.data();
    options.count = static_cast<std::int64_t>(rows.size());
    options.top = top;
    odim_reasons *found = nullptr;
    detail::run_hooked(h, [&](const odim_hooks *c, odim_error *e) {
        return odim_explain(m.get(), t.get(), &options, nullptr, c, &found, e);
    });
    detail::handle<odim_reasons, odim_reasons_free> mine(found);
    std::vector<std::vector<std::string>> texts(static_cast<std::size_t>(odim_reasons_rows(found)));
    for (std::size_t i = 0; i < texts.size(); i++) {
        auto index = static_cast<std::int64_t>(i);
        std::int64_t row = rows.empty() ? index : rows[i];
        for (int k = 0; k < odim_reasons_count(found, index); k++) {
            char text[512];
            texts[i].emplace_back(
                odim_reason_text(m.get(), t.get(), row, odim_reasons_at(found, index, k), text, sizeof text));
        }
    }
    return texts;
}

} // namespace odim

#endif
