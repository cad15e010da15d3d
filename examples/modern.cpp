// Finds the outliers of a file in C++, says why, and scores single rows as they come.
//
//     modern FILE
#include <algorithm>
#include <iostream>

#include "odim.hpp"

int main(int argc, char **argv)
try {
    if (argc != 2) {
        std::cerr << "usage: modern FILE\n";
        return 2;
    }
    odim::table rows = odim::table::read(argv[1]);
    odim::params fast{{"preset", "fast"}};
    auto [model, scores] = odim::detect(rows, &fast);

    auto worst = std::max_element(scores.begin(), scores.end()) - scores.begin();
    std::cout << "row " << worst + 1 << ": " << odim::explain(model, rows, {worst}, 1)[0][0] << '\n';

    // One row at a time, without allocating memory: one scorer per thread.
    odim::scorer scorer(model);
    std::vector<double> row(static_cast<std::size_t>(model.cols()));
    std::size_t same = 0, outliers = 0;
    for (std::int64_t i = 0; i < rows.rows(); i++) {
        for (std::int64_t j = 0; j < model.cols(); j++) row[static_cast<std::size_t>(j)] = rows.value(i, j);
        double score = scorer(row);
        same += score == scores[static_cast<std::size_t>(i)];
        outliers += score > model.threshold();
    }
    std::cout << outliers << " outliers; " << same << " of " << rows.rows() << " scores are the same again\n";
    return 0;
} catch (const std::exception &e) {
    std::cerr << "modern: " << e.what() << '\n';
    return 1;
}
