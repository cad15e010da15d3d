/*
 * Makes the Arrow files of this folder with the npm package apache-arrow (21.2.0), and the same tables as CSV.
 *
 *     cd somewhere && npm install apache-arrow && node .../tests/data/arrow/make.js
 *
 * The commands lz4 and zstd pack buffers. Tests only read the files: nothing of this is needed to run them.
 */
const fs = require('fs'), path = require('path'), {execFileSync} = require('child_process');
const a = require(require.resolve('apache-arrow', {paths: [process.cwd()]}));
const save = (name, bytes) => fs.writeFileSync(path.join(__dirname, name), bytes);

/* Columns are [name, type, value of row i as Arrow has it, the same as text]. */
function batch(columns, from, to)
{
    const data = {};
    for (const [name, type, value] of columns) {
        const values = [];
        for (let i = from; i < to; i++) values.push(value(i));
        data[name] = type instanceof a.Null ? a.makeVector(a.makeData({type, length: to - from}))
                                            : a.vectorFromArray(values, type);
    }
    return new a.Table(data).batches[0];
}

function csv(columns, rows)
{
    let text = columns.map(c => c[0]).join(',') + '\n';
    for (let i = 0; i < rows; i++) text += columns.map(c => (c[2](i) === null ? '' : c[3](i))).join(',') + '\n';
    return text;
}

/* The package puts the packed size before a buffer; the format wants the size when unpacked. */
function packer(command)
{
    return buffers => {
        let at = 0;
        const out = [], regions = [];
        for (const buffer of buffers) {
            const plain = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
            if (plain.length === 0) {
                out.push(new Uint8Array(0), new Uint8Array(0));
                regions.push({offset: at, length: 0});
                continue;
            }
            const packed = execFileSync(command, ['-c'], {input: plain, stdio: ['pipe', 'pipe', 'ignore']});
            const body = packed.length < plain.length ? packed : plain, size = Buffer.alloc(8);
            size.writeBigInt64LE(body === packed ? BigInt(plain.length) : -1n);
            out.push(size, new Uint8Array(body));
            regions.push({offset: at, length: 8 + body.length});
            at += (8 + body.length + 7) & ~7;
        }
        return {byteLength: at, bufferRegions: regions, buffers: out};
    };
}

function write(Writer, batches, command, options = {})
{
    const codec = {lz4: 0, zstd: 1}[command];
    const writer = new Writer(command ? {autoDestroy: true, compressionType: codec} : options);
    if (command) writer._compressBodyBuffers = packer(command);
    writer.writeAll(batches);
    return writer.toUint8Array(true);
}

/* ---- a table as people have it, in three batches ---- */

const cities = ['Oslo', 'Paris', 'Rome', 'Kraków', 'Bern', 'Graz', 'Lyon'];
const pad = n => String(n).padStart(2, '0');
const single = x => {
    for (let digits = 6; digits <= 9; digits++)
        if (Math.fround(Number(x.toPrecision(digits))) === x) return String(Number(x.toPrecision(digits)));
};
const amount = i => (i % 11 === 3 ? null : Math.round(1000 * Math.sin(i) + (i === 57 ? 90000 : 0)) / 8);
const ratio = i => Math.fround(((i * 37) % 100) / 90);
const cents = i => ((i * 731) % 20011) - 4000;
const city = i => (i % 13 === 5 ? null : cities[(i * i + (i > 39 ? 3 : 0)) % (i < 40 ? 3 : i < 70 ? 5 : 7)]);
const day = i => Date.UTC(2024, 0, 1 + i);
const iso = ms => new Date(ms).toISOString().slice(0, 10);
const decimal = n => { /* 128 bits */
    const words = new Uint32Array(4).fill(n < 0 ? 0xFFFFFFFF : 0);
    words[0] = n >>> 0;
    return words;
};
const table = [
    ['name', new a.Utf8, i => 'item-' + String((i * 7919) % 10007).padStart(5, '0'), i => 'item-' + String((i * 7919) % 10007).padStart(5, '0')],
    ['day', new a.DateDay, i => new Date(day(i)), i => iso(day(i))],
    ['at', new a.TimestampMillisecond('UTC'), i => day(i) + i * 61000, i => new Date(day(i) + i * 61000).toISOString().slice(0, 19) + 'Z'],
    ['amount', new a.Float64, amount, i => String(amount(i))],
    ['count', new a.Int32, i => (i * i) % 97, i => String((i * i) % 97)],
    ['ratio', new a.Float32, ratio, i => single(ratio(i))],
    ['price', new a.Decimal(2, 10, 128), i => decimal(cents(i)), i => (cents(i) / 100).toFixed(2)],
    ['paid', new a.Bool, i => (i % 17 === 4 ? null : i % 3 === 0), i => String(i % 3 === 0)],
    ['city', null, city, i => city(i)],
];
const ROWS = 90, CUTS = [0, 40, 70, 90];

/* One dictionary for all batches, or a new one for each, or one that grows. */
function cut(how)
{
    const parts = [];
    const all = new Set();
    let grown = null;
    for (let k = 0; k + 1 < CUTS.length; k++) {
        const plain = table.filter(c => c[0] !== 'city'), from = CUTS[k], to = CUTS[k + 1];
        const own = new Set();
        for (let i = how === 'one' ? 0 : from; i < (how === 'one' ? ROWS : to); i++) if (city(i) !== null) own.add(city(i));
        const fresh = [...own].filter(x => !all.has(x));
        fresh.forEach(x => all.add(x));
        const values = a.vectorFromArray(how === 'grow' ? fresh : [...own], new a.Utf8);
        if (!grown || how === 'replace') grown = values;
        else if (how === 'grow' && fresh.length) grown = grown.concat(values);
        const list = [...grown], keys = [];
        for (let i = from; i < to; i++) keys.push(city(i) === null ? null : list.indexOf(city(i)));
        const index = a.vectorFromArray(keys, new a.Int8).data[0];
        const type = new a.Dictionary(new a.Utf8, new a.Int8, 5);
        const data = a.makeData({type, length: to - from, nullCount: index.nullCount, data: index.values,
                                 nullBitmap: index.nullBitmap, dictionary: grown});
        const b = batch(plain, from, to), columns = {};
        plain.forEach((c, j) => (columns[c[0]] = new a.Vector([b.data.children[j]])));
        columns.city = new a.Vector([data]);
        parts.push(new a.Table(columns).batches[0]);
    }
    return parts;
}

save('table.csv', csv(table, ROWS));
save('table.arrow', write(a.RecordBatchFileWriter, cut('one')));
save('grow.arrow', write(a.RecordBatchFileWriter, cut('grow')));
save('table.arrows', write(a.RecordBatchStreamWriter, cut('grow')));
save('replace.arrows', write(a.RecordBatchStreamWriter, cut('replace')));
save('legacy.arrows', write(a.RecordBatchStreamWriter, cut('one'), null, {autoDestroy: true, writeLegacyIpcFormat: true}));
save('lz4.arrow', write(a.RecordBatchFileWriter, cut('one'), 'lz4'));
save('zstd.arrow', write(a.RecordBatchFileWriter, cut('one'), 'zstd'));
save('zstd.arrows', write(a.RecordBatchStreamWriter, cut('grow'), 'zstd'));

/* ---- one column of each type ---- */

const big = i => 9007199254740993n + BigInt(i);
const half = i => [1, -2.5, 0.0999755859375][i % 3];
const text = i => [null, 'ä, b', 'a text that is longer than twelve bytes', ''][i % 4];
const types = [
    ['i8', new a.Int8, i => i - 3], ['i16', new a.Int16, i => i * 300 - 400], ['i32', new a.Int32, i => i * 70000],
    ['i64', new a.Int64, big], ['u8', new a.Uint8, i => 250 + i], ['u16', new a.Uint16, i => 65530 + i],
    ['u32', new a.Uint32, i => 4294967290 + i], ['u64', new a.Uint64, i => 18446744073709551610n + BigInt(i)],
    ['f16', new a.Float16, half], ['f32', new a.Float32, i => i / 10], ['f64', new a.Float64, i => i / 3],
    ['dec', new a.Decimal(3, 38, 128), i => decimal(i * 1001 - 2000)], ['bool', new a.Bool, i => i % 2 === 1],
    ['utf8', new a.Utf8, text], ['large', new a.LargeUtf8, text], ['view', new a.Utf8View, text],
    ['date', new a.DateDay, i => new Date(day(i))], ['date64', new a.DateMillisecond, i => new Date(day(i))],
    ['time_s', new a.TimeSecond, i => 3600 + i], ['time_ms', new a.TimeMillisecond, i => 3600500 + i],
    ['time_us', new a.TimeMicrosecond, i => 3600000001n + BigInt(i)], ['time_ns', new a.TimeNanosecond, i => 3600000000001n + BigInt(i)],
    ['ts_s', new a.TimestampSecond, i => day(i)], ['ts_ms', new a.TimestampMillisecond('Europe/Oslo'), i => day(i) + 500],
    ['ts_us', new a.TimestampMicrosecond, i => day(i)], ['ts_ns', new a.TimestampNanosecond('UTC'), i => day(i)],
    ['dur', new a.DurationMillisecond, i => 1500n + BigInt(i)],
    ['nothing', new a.Null, i => null],
    ['bytes', new a.Binary, i => new Uint8Array([i, 0])],
    ['list', new a.List(new a.Field('item', new a.Utf8View, true)), i => ['x', 'a text that is longer than twelve bytes']],
    ['struct', new a.Struct([new a.Field('p', new a.Int32, true), new a.Field('q', new a.Utf8, true)]), i => ({p: i, q: 'q'})],
    ['last', new a.Int32, i => (i === 2 ? null : i)],
];
save('types.arrow', write(a.RecordBatchFileWriter, [batch(types, 0, 5)]));
save('types.arrows', write(a.RecordBatchStreamWriter, [batch(types, 0, 3), batch(types, 3, 5)], 'lz4'));
